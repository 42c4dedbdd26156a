/** The walls of the house: every gate holds for this tree, and is shown to bite. */
import { describe, expect, it } from 'vitest'
import { allowList, listProblems, maxExceptions, withoutExceptions } from './architecture/allow-list.ts'
import { describeGate } from './architecture/describe-gate.ts'
import { gates } from './architecture/gates.ts'
import { layerNames, readDiagram } from './architecture/layers.ts'
import { planted } from './architecture/planted/index.ts'
import { readTree } from './architecture/read-tree.ts'
import { rooms } from './architecture/rooms.ts'
import { tablePlaces } from './architecture/vocabulary.ts'
import { bar, measureTable } from './architecture/table.ts'

const tree = readTree()

for (const gate of gates) describeGate(gate, tree, planted[gate.name])

describe('the list of exceptions', () => {
  const known = { gate: 'any', where: 'a.ts', reason: 'the host has no types', since: '2026-11-21' }
  const problems = [
    { where: 'a.ts', message: 'any' },
    { where: 'b.ts', message: 'any' },
  ]

  it('has only entries that are needed and say why, and does not grow', () => {
    const problemsOf = (name: string) => gates.find((gate) => gate.name === name)?.find(tree) ?? []
    expect(listProblems(allowList, maxExceptions, problemsOf)).toEqual([])
  })

  it('takes out the place that it names, for the gate that it names', () => {
    expect(withoutExceptions('any', problems, [known])).toEqual([problems[1]])
    expect(withoutExceptions('purity', problems, [known])).toEqual(problems)
  })

  it('lets a needed entry stand', () => {
    expect(listProblems([known], 1, () => problems)).toEqual([])
  })

  it.each([
    ['that nothing needs any more', [known], 1, []],
    ['without a reason', [{ ...known, reason: '' }], 1, problems],
    ['without a date', [{ ...known, since: 'lately' }], 1, problems],
    ['too many', [known], 0, problems],
  ])('complains of an entry %s', (_, entries, maximum, found) => {
    expect(listProblems(entries, maximum, () => found)).toHaveLength(1)
  })
})

describe('the diagram of ARCHITECTURE.md', () => {
  it('names the layers of the table of rooms, from the top down', () => {
    expect(readDiagram(tree.files.get('ARCHITECTURE.md') ?? '')).toEqual(layerNames())
  })
})

describe('the table of rooms', () => {
  it('names no room that is not there', () => {
    const missing = [...rooms.values()].filter(
      ({ folder }) => ![...tree.paths].some((path) => path.startsWith(folder)),
    )
    expect(missing).toEqual([])
  })

  it('names no place of a table that is not there', () => {
    expect(tablePlaces.filter((place) => !tree.paths.has(place))).toEqual([])
  })
})

describe('the measures', () => {
  it('are shown, for people', () => {
    const table = measureTable(tree)
    console.log(`${table}\n${bar}`)
    expect(table.split('\n').length).toBeGreaterThan(2)
  })
})
