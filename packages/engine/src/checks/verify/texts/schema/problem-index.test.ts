import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, problemIndex } from './json-in-text.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('given a text', () => {
  it.each([
    ['', 0],
    ['hello', 0],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ['[1, 2', 5],
    ['[1 2]', 3],
    ['[1,]', 3],
    ['{"a": 01}', 7],
    ['"open', 0],
    ['{"a": undefined}', 6],
    ['1 2', 2],
    ["{'a': 1}", 1],
    ['[1}', 2],
    ['nul', 0],
    ['"tab\there"', 0],
  ])('finds where %j stops being JSON: %d', (text, index) => {
    expect(problemIndex(text)).toBe(index)
  })

  it('agrees with the parser of the engine on any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(problemIndex(text)).toBeUndefined()
      }),
    )
  })

  it('agrees with the parser of the engine on JSON with one piece changed', () => {
    const piece = fc.constantFrom(
      '',
      ',',
      ':',
      '{',
      '}',
      '[',
      ']',
      '"',
      '1',
      'e',
      '.',
      '-',
      ' ',
      '\n',
      'true',
      'x',
    )
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(3), piece, (text, at, removed, put) => {
        const start = at % (text.length + 1)
        const changed = text.slice(0, start) + put + text.slice(start + removed)
        expect(problemIndex(changed) === undefined).toBe(isJson(changed))
      }),
      { numRuns: 1000 },
    )
  })

  it('says the place in lines and columns', () => {
    expect(parseJson('{\n  "a": oops\n}')).toEqual({
      kind: 'no-json',
      problem: 'it is not JSON: unexpected at line 2, column 8: "oops\\n}"',
    })
    expect(parseJson('[1,')).toMatchObject({
      problem: 'it is not JSON: unexpected at line 1, column 4: the end',
    })
    expect(parseJson(' ')).toMatchObject({ kind: 'no-json' })
  })

  it('survives what is deep and long', () => {
    expect(parseJson('['.repeat(1_000_000))).toMatchObject({ kind: 'no-json' })
    expect(parseJson(`"${'\\n'.repeat(2_000_000)}`)).toMatchObject({ kind: 'no-json' })
  })
})
