import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Likeness, likenesses, type Place, type SeekOptions, SoughtFile } from '../sought-file.ts'

const seekLines = (lines: readonly string[], pattern: readonly string[], options?: SeekOptions) =>
  seekerOf(lines).places(pattern, options)[0]

const seekerOf = (lines: readonly string[]) =>
  new SoughtFile(
    'a',
    lines.map((text) => ({ text, end: '\n' })),
  )

describe('given lines sought in a file', () => {
  it('finds the first of several places, from where it may', () => {
    const lines = ['a', 'b', 'a', 'b']
    expect(seekLines(lines, ['a', 'b'])).toEqual({ index: 0, likeness: 'exact' })
    expect(seekLines(lines, ['a', 'b'], { from: 1 })).toEqual({ index: 2, likeness: 'exact' })
    expect(seekLines(lines, ['a', 'b'], { from: 3 })).toBeUndefined()
  })

  it('prefers an exact place below to a likely one above', () => {
    expect(seekLines(['a ', ' a', 'a'], ['a'])).toEqual({ index: 2, likeness: 'exact' })
    expect(seekLines([' a', 'a '], ['a'])).toEqual({ index: 1, likeness: 'trailing-space' })
    expect(seekLines([' a'], ['a'])).toEqual({ index: 0, likeness: 'surrounding-space' })
  })

  it('tells all places of the best pass, also where they overlap', () => {
    const seeker = seekerOf(['a', 'a', 'a', 'b', ' a', 'a'])
    expect(seeker.places(['a', 'a']).map(({ index }) => index)).toEqual([0, 1])
    expect(seeker.places([' a', 'a']).map(({ index }) => index)).toEqual([4])
    expect(seeker.places(['c'])).toEqual([])
  })

  it('looks at nothing but the end where it must be the end', () => {
    expect(seekLines(['a', 'b', 'a'], ['a'], { atEnd: true })?.index).toBe(2)
    expect(seekLines(['a', 'b'], ['a'], { atEnd: true })).toBeUndefined()
    expect(seekLines(['a', 'b'], ['a', 'b'], { atEnd: true, from: 1 })).toBeUndefined()
  })

  it.each(['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212'])(
    'takes %j for a hyphen',
    (dash) => {
      expect(seekLines([`p ${dash} q`], ['p - q'])).toEqual({ index: 0, likeness: 'look-alike' })
    },
  )

  it.each([
    ["'", '\u2018\u2019\u201a\u201b'],
    ['"', '\u201c\u201d\u201e\u201f'],
    [' ', '\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'],
  ])('takes for %j each of %j', (plain, fancies) => {
    for (const fancy of fancies)
      expect(seekLines([`p${fancy}q`], [`p${plain}q`])?.likeness).toBe('look-alike')
  })

  it('does not take further look-alikes', () => {
    for (const fancy of '\u2001\u1680\u2032\u2033\u00ab\u200b\uff02') {
      for (const plain of ' -\'"') expect(seekLines([`p${fancy}q`], [`p${plain}q`])).toBeUndefined()
    }
    expect(seekLines(['e\u0301'], ['\u00e9'])).toBeUndefined()
    expect(seekLines(['\ufeffa'], ['a'])).toBeUndefined()
  })

  it('finds what a plain search over all four passes finds', () => {
    const line = fc.constantFrom('a', 'a', 'b', ' a', 'a ', 'a-b', 'a\u2014b', '')
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 6 }),
        fc.boolean(),
        (lines, pattern, from, atEnd) => {
          const seeker = seekerOf(lines)
          expect(seeker.places(pattern, { from, atEnd })).toEqual(plainly(lines, pattern, { from, atEnd }))
        },
      ),
    )
  })

  it('finds the same where it is asked many times', () => {
    const line = fc.constantFrom('a', 'b', ' a', 'b ', '', '\u2014', '-')
    const pattern = fc.array(line, { minLength: 1, maxLength: 4 })
    const searches = fc.array(fc.tuple(pattern, fc.boolean()), { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), searches, (lines, wanted) => {
        const seeker = seekerOf(lines)
        for (const [pattern, atEnd] of wanted)
          expect(seeker.places(pattern, { atEnd })).toEqual(plainly(lines, pattern, { from: 0, atEnd }))
      }),
      { numRuns: 500 },
    )
  })
})

const forms: Readonly<Record<Likeness, (line: string) => string>> = {
  exact: (line) => line,
  'trailing-space': (line) => line.trimEnd(),
  'surrounding-space': (line) => line.trim(),
  'look-alike': (line) => line.trim().replaceAll('\u2014', '-'),
}

function plainly(
  lines: readonly string[],
  pattern: readonly string[],
  options: Required<Omit<SeekOptions, 'until'>>,
): Place[] {
  for (const likeness of likenesses) {
    const form = forms[likeness]
    const places = lines.flatMap((_, index) => {
      if (index < options.from || index + pattern.length > lines.length) return []
      if (options.atEnd && index + pattern.length < lines.length) return []
      const isHere = pattern.every((text, offset) => form(text) === form(lines[index + offset] ?? ''))
      return isHere ? [{ index, likeness }] : []
    })
    if (places.length > 0) return places
  }
  return []
}

describe('given the blocks of a file', () => {
  it.each([
    ['a block by indentation', ['def f:', '  a', '', '  b', 'def g:'], [4, 3, 4, 4, 5]],
    ['brackets of their own', ['void f()', '{', '  a', '}', 'void g()'], [4, 4, 4, 4, 5]],
    ['several lines of a head', ['def f(', '    a,', ') -> int:', '    b', 'x'], [4, 3, 4, 4, 5]],
    ['tabs', ['\tif', '\t\ta', '    else', 'x'], [2, 2, 3, 4]],
  ])('knows where each ends: %s', (_, lines, ends) => {
    const seeker = seekerOf(lines)
    expect(lines.map((_line, index) => seeker.blockEnd(index))).toEqual(ends)
  })
})
