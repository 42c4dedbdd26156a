import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './json.ts'

/** The same value with every object's keys in another order. */
function turnedRound(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(turnedRound)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, entry]) => [key, turnedRound(entry)]),
  )
}

describe('given canonical JSON', () => {
  it('sorts keys by their UTF-16 units, not by their code points', () => {
    // The example of RFC 8785, section 3.2.3.
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      1: 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    const order = [...canonicalJson(value).matchAll(/:"([^"]*)"/g)].map(([, name]) => name)
    expect(order).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
    expect(canonicalJson({ b: 1, a: [{ d: 1, c: 2 }], 10: 0, 9: 0 })).toBe(
      '{"10":0,"9":0,"a":[{"c":2,"d":1}],"b":1}',
    )
  })

  it('leaves out what is undefined, and keeps null and a key like __proto__', () => {
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}')
    expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}')
  })

  test.prop([fc.jsonValue()])('means the same value', (value) => {
    expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
  })

  test.prop([fc.jsonValue()])('is the same text whatever the order of keys', (value) => {
    expect(canonicalJson(turnedRound(value))).toBe(canonicalJson(value))
  })

  test.prop([fc.jsonValue({ maxDepth: 1 }), fc.jsonValue({ maxDepth: 1 })])(
    'is the same text only for the same value',
    (one, other) => {
      const first: unknown = JSON.parse(JSON.stringify(one))
      const second: unknown = JSON.parse(JSON.stringify(other))
      if (canonicalJson(one) === canonicalJson(other)) expect(first).toEqual(second)
      else expect(first).not.toEqual(second)
    },
  )
})
