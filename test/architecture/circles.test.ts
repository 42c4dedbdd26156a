import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { tanglesOf } from './circles.ts'

const edges = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { maxLength: 40 })
const graphOf = (pairs: readonly (readonly [number, number])[]) => {
  const graph = new Map<string, string[]>()
  for (const [from, to] of pairs) graph.set(`n${from}`, [...(graph.get(`n${from}`) ?? []), `n${to}`])
  return graph
}

/** By definition: nodes on a common circle reach each other. Slow, and plainly right. */
function reaches(graph: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set<string>()
  const open = [...(graph.get(from) ?? [])]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === to) return true
    if (!seen.has(node)) open.push(...(graph.get(node) ?? []))
    seen.add(node)
  }
  return false
}

describe('tangles', () => {
  it('are told apart', () => {
    const pairs = [
      [1, 2],
      [2, 1],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 3],
      [6, 6],
      [7, 1],
    ] as const
    expect(tanglesOf(graphOf(pairs)).toSorted()).toEqual([['n1', 'n2'], ['n3', 'n4', 'n5'], ['n6']])
  })

  test.prop([edges])('are not found where edges only go down', (pairs) => {
    const down = pairs.filter(([from, to]) => from > to)
    expect(tanglesOf(graphOf(down))).toEqual([])
  })

  test.prop([edges])('hold exactly the nodes that reach themselves', (pairs) => {
    const graph = graphOf(pairs)
    const onCircle = [...graph.keys()].filter((node) => reaches(graph, node, node)).toSorted()
    expect(tanglesOf(graph).flat().toSorted()).toEqual(onCircle)
  })
})
