import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chanting } from './content-chanting.ts'

const limits = { maxMeanGap: 250 }

/** Different from each other at every place within a cycle. */
function filler(length: number): string {
  return Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + (at % 5000))).join('')
}

describe('given a chunk that comes again and again', () => {
  const chunk = filler(50)

  it('needs ten sightings', () => {
    expect(chanting(limits).append(chunk.repeat(9))).toBe(false)
    expect(chanting(limits).append(chunk.repeat(10))).toBe(true)
  })

  it('counts over fragments', () => {
    const chants = chanting(limits)
    const found = Array.from({ length: 10 }, () => chants.append(chunk))
    expect(found.indexOf(true)).toBe(9)
  })

  it.each([
    [250, true],
    [251, false],
  ])('with a mean gap of %i characters says %s', (gap, expected) => {
    expect(chanting(limits).append(filler(gap).repeat(10))).toBe(expected)
  })

  it.each([
    [5, true],
    [6, false],
  ])('with %i different texts between says %s', (texts, expected) => {
    const rounds = Array.from({ length: 10 }, (_, at) => chunk + String(at % texts).repeat(40))
    expect(chanting(limits).append(rounds.join('') + chunk)).toBe(expected)
  })

  it('begins anew after a reset', () => {
    const chants = chanting(limits)
    chants.append(chunk.repeat(9))
    chants.reset()
    expect(chants.append(chunk.repeat(9))).toBe(false)
  })
})

describe('given any text in any fragments', () => {
  it('says what the description says, which moves all positions when the window slides', () => {
    const fragments = fc.array(
      fc.oneof(
        {
          weight: 6,
          arbitrary: fc.constantFrom('look at it again. '.repeat(9), filler(700), 'ab'.repeat(80)),
        },
        fc.string({ maxLength: 300 }),
      ),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(fragments, (texts) => {
        const chants = chanting(limits)
        const described = asDescribed()
        expect(texts.map((text) => chants.append(text))).toEqual(texts.map((text) => described(text)))
      }),
      { numRuns: 150 },
    )
  })
})

/** The description, word for word. */
function asDescribed(): (text: string) => boolean {
  let history = ''
  let next = 0
  let seen = new Map<string, number[]>()
  return (text) => {
    history += text
    const cut = Math.max(0, history.length - 5000)
    history = history.slice(cut)
    next = Math.max(0, next - cut)
    seen = new Map(
      [...seen]
        .map(
          ([chunk, starts]) =>
            [chunk, starts.map((start) => start - cut).filter((start) => start >= 0)] as const,
        )
        .filter(([, starts]) => starts.length > 0),
    )
    while (next + 50 <= history.length) {
      const start = next
      const chunk = history.slice(start, start + 50)
      const starts = [...(seen.get(chunk) ?? []), start]
      seen.set(chunk, starts)
      const ten = starts.slice(-10)
      const gap = (start - (ten[0] ?? 0)) / 9
      const between = new Set(ten.slice(1).map((end, at) => history.slice(ten[at], end)))
      if (starts.length >= 10 && gap <= 250 && between.size <= 5) return true
      next += 1
    }
    return false
  }
}
