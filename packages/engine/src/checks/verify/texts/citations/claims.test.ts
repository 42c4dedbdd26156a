import { it as property, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { claimsIn, placeOfWords, plainWords } from './claims.ts'

describe('given a text with claims', () => {
  it.each([
    ['- SQLite "survives restarts" [source: state.md]', ['state.md'], ['survives restarts']],
    ['- Several [source: a, b;c d].', ['a', 'b', 'c', 'd'], []],
    ['It says “so” ([the notes](notes/a.md "title")).', ['notes/a.md'], ['so']],
    ['2. See <https://example.org/x>: «oui»', ['https://example.org/x'], ['oui']],
    ['* Nothing is named', [], []],
    ['- „Wörter“ [sources: a.md] and [Source: b.md]', ['a.md', 'b.md'], ['Wörter']],
  ])('%j names %j and quotes %j', (line, sources, quotes) => {
    expect(claimsIn(`# Title\n\nSome prose.\n${line}\n`)).toEqual([{ line: 4, text: line, sources, quotes }])
  })

  it('takes neither prose nor what stands in a fenced block for a claim', () => {
    expect(claimsIn('Prose.\n\n```\n- a list in code\n```\n# A heading')).toEqual([])
  })

  property.prop([fc.string({ unit: 'grapheme' })])('is total, and gives lines that are there', (text) => {
    const lines = text.split(/\r?\n/u)
    for (const claim of claimsIn(text)) expect(lines[claim.line - 1]?.trim()).toBe(claim.text)
  })
})

describe('given words that are compared', () => {
  it('lets white space and the forms of marks differ, and nothing else', () => {
    expect(plainWords(' it’s  “one”\n– two ')).toBe(plainWords(`it's "one" - two`))
    expect(plainWords('It works')).not.toBe(plainWords('it works'))
  })
})

describe('given words whose place is asked for', () => {
  it.each([
    ['It survives restarts.', 'survives restarts', '1:4-1:20'],
    ['# State\n\nIt “survives\n  restarts” at a cost.', 'survives restarts', '3:5-4:10'],
    ['It survives.', 'never ends', undefined],
  ])('in %j, %j stands at %j', (text, words, place) => {
    expect(placeOfWords(text, words)).toBe(place)
  })

  property.prop([
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ minLength: 1 }),
  ])('is total, and found only where the words are', (before, after, words) => {
    const place = placeOfWords(`${before} ${words} ${after}`, words)
    if (place !== undefined) expect(place).toMatch(/^\d+:\d+-\d+:\d+$/u)
  })
})
