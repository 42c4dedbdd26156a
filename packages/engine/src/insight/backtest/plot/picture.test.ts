import { describe, expect, it } from 'vitest'
import { pictureOf } from './picture.ts'
import { killMarks, plot, savedMarksUpTo, topMark, xOf, yOf } from './scales.ts'

const dots = [
  { name: 'harmless', killedShare: 0, savedShare: 0.06 },
  { name: 'twin <one>', killedShare: 0, savedShare: 0.06 },
  { name: 'harsh', killedShare: 0.28, savedShare: 0.41 },
]

/** Elements that are opened and not closed, or closed and not open; and texts with a bare sign. */
function faultsOf(svg: string): readonly string[] {
  const open: string[] = []
  const faults: string[] = []
  for (const [tag, slash, name = '', rest = ''] of svg.matchAll(/<(\/?)([a-z]+)([^<>]*)>/g)) {
    if (slash === '/' && open.pop() !== name) faults.push(tag)
    else if (slash !== '/' && !rest.endsWith('/')) open.push(name)
  }
  const texts = svg.replaceAll(/<[^<>]*>/g, '')
  return [...faults, ...open, ...(texts.match(/<|&(?!\w+;)/g) ?? [])]
}

describe('given detectors of a data set', () => {
  const svg = pictureOf('Set & more', '10 runs', dots)

  it('is well-formed, whatever the names', () => {
    expect(faultsOf(svg)).toEqual([])
    expect(faultsOf(svg.replace('</g>', ''))).not.toEqual([])
  })

  it('gives detectors on the same spot one dot with both names', () => {
    expect(svg.match(/<circle/g)).toHaveLength(2)
    expect(svg).toContain('harmless, twin &lt;one>')
  })

  it('is drawn without any dots as well', () => {
    expect(faultsOf(pictureOf('Empty', '', []))).toEqual([])
  })
})

describe('the scales', () => {
  it('put every mark of harm at an even distance, more harm to the right', () => {
    const xs = killMarks.map(xOf)
    expect(xs[0]).toBe(plot.left)
    expect(xs.at(-1)).toBeCloseTo(plot.right)
    expect(xs.toSorted((one, other) => one - other)).toEqual(xs)
  })

  it('hold the highest dot', () => {
    for (const highest of [0, 3, 10, 10.1, 41, 81, 100]) {
      const top = topMark(highest)
      expect(top).toBeGreaterThanOrEqual(highest)
      expect(yOf(highest, top)).toBeGreaterThanOrEqual(plot.top)
    }
  })

  it('leave room between the numbers', () => {
    for (const top of [10, 20, 60, 100]) {
      const ys = savedMarksUpTo(top).map((mark) => yOf(mark, top))
      for (const [index, y] of ys.slice(1).entries()) expect((ys[index] ?? 0) - y).toBeGreaterThanOrEqual(16)
    }
  })
})
