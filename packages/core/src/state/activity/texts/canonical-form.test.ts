import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { identityOf, writeCanonical, type CanonicalLimits } from './canonical-form.ts'

function canonical(value: unknown, limits?: Partial<CanonicalLimits>): string {
  const pieces: string[] = []
  writeCanonical(value, (piece) => pieces.push(piece), limits)
  return pieces.join('')
}

class Point {
  readonly x: number
  constructor(x: number) {
    this.x = x
  }
}
class Place extends Point {}

type Named = readonly [string, unknown]

/** One value of every kind that could be taken for another. */
function kinds(): readonly Named[] {
  return [...plainKinds(), ...builtInKinds()]
}

function plainKinds(): readonly Named[] {
  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  return [
    ['cyclic', cyclic],
    ['undefined', undefined],
    ['null', null],
    ['false', false],
    ['0', 0],
    ['-0', -0],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['1', 1],
    ['1n', 1n],
    ['"1"', '1'],
    ['"NaN"', 'NaN'],
    ['"null"', 'null'],
    ['""', ''],
    ['"d1;"', 'd1;'],
    ['boxed 1', new Number(1)],
    ['boxed "1"', new String('1')],
    ['boxed true', Object(true)],
    ['boxed 1n', Object(1n)],
    ['boxed symbol', Object(Symbol.for('a'))],
    ['Symbol(a)', Symbol('a')],
    ['Symbol.for(a)', Symbol.for('a')],
    ['function', () => 1],
    ['another function', () => 2],
    ['{}', {}],
    ['[]', []],
    ['[[]]', [[]]],
    ['[1]', [1]],
    ['[,]', new Array(1)],
    ['[undefined]', [undefined]],
    ['[null]', [null]],
    ['list with a key', Object.assign([1], { a: 1 })],
    ['{0: 1}', { 0: 1 }],
    ['{a: undefined}', { a: undefined }],
    ['{a: null}', { a: null }],
    ['{[Symbol(a)]: 1}', { [Symbol('a')]: 1 }],
    ['{a: 1}', { a: 1 }],
  ]
}

function builtInKinds(): readonly Named[] {
  return [
    ['Map', new Map()],
    ['Set', new Set()],
    ['Map a 1', new Map([['a', 1]])],
    ['Set [a 1]', new Set([['a', 1]])],
    ['Set 1', new Set([1])],
    ['Set "1"', new Set(['1'])],
    ['Date 0', new Date(0)],
    ['Date 1', new Date(1)],
    ['Date invalid', new Date(Number.NaN)],
    ['the text of Date 0', new Date(0).toISOString()],
    ['/a/', /a/],
    ['/a/g', /a/g],
    ['"/a/"', '/a/'],
    ['Error a', new Error('a')],
    ['TypeError a', new TypeError('a')],
    ['Error a of b', new Error('a', { cause: 'b' })],
    ['AggregateError', new AggregateError([1], 'a')],
    ['Uint8Array 1', new Uint8Array([1])],
    ['Int8Array 1', new Int8Array([1])],
    ['ArrayBuffer 1', new Uint8Array([1]).buffer],
    ['DataView 1', new DataView(new Uint8Array([1]).buffer)],
    ['Point', new Point(1)],
    ['Place', new Place(1)],
    ['{x: 1}', { x: 1 }],
    ['Promise', Promise.resolve(1)],
    ['WeakMap', new WeakMap()],
    ['no Date', Object.create(Date.prototype)],
    ['no Map', Object.create(Map.prototype)],
  ]
}

describe('given values of different kinds', () => {
  it('no two have one text, nor one identity', () => {
    const texts = new Map<string, string>()
    for (const [name, value] of kinds()) {
      const text = canonical(value)
      expect(texts.get(text), `${name}: ${text}`).toBeUndefined()
      texts.set(text, name)
    }
    expect(new Set(kinds().map(([, value]) => identityOf(value))).size).toBe(kinds().length)
  })

  it('no two have one text inside of something else either', () => {
    const wraps = [
      (value: unknown) => [value],
      (value: unknown) => ({ a: value }),
      (value: unknown) => new Map([['a', value]]),
      (value: unknown) => new Map([[value, 'a']]),
      (value: unknown) => new Set([value]),
    ]
    const texts = wraps.flatMap((wrap) =>
      kinds()
        // A Map and a Set do not tell -0 from 0.
        .filter(([name]) => name !== '-0')
        .map(([, value]) => canonical(wrap(value))),
    )
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('a text cannot be made that reads like something else', () => {
    expect(canonical(['a', 'b'])).not.toBe(canonical(['as1:b']))
    expect(canonical({ a: 'b', c: 'd' })).not.toBe(canonical({ 'a:bk1:c': 'd' }))
  })
})

describe('given values that say the same', () => {
  it('the order of keys, entries and members does not matter; that of a list does', () => {
    expect(canonical({ a: 1, b: { c: 2, d: 3 } })).toBe(canonical({ b: { d: 3, c: 2 }, a: 1 }))
    const [one, other] = [{ a: 1 }, { b: [2] }]
    expect(canonical(new Set([one, other]))).toBe(canonical(new Set([other, one])))
    const map = (...entries: readonly (readonly [unknown, unknown])[]) => new Map<unknown, unknown>(entries)
    const turnedMap = map([{ b: [2] }, 2], [{ a: 1 }, 1])
    expect(canonical(map([one, 1], [other, 2]))).toBe(canonical(turnedMap))
    expect(canonical([1, 2])).not.toBe(canonical([2, 1]))
  })

  it('a part that is used twice is like two equal ones', () => {
    const shared = { a: [1] }
    expect(canonical([shared, shared])).toBe(canonical([{ a: [1] }, { a: [1] }]))
  })

  it('cycles of one shape are equal, and of different shapes are not', () => {
    const around = (steps: number): unknown => {
      const first: Record<string, unknown> = {}
      let last = first
      for (let step = 1; step < steps; step += 1) {
        const next: Record<string, unknown> = {}
        last['next'] = next
        last = next
      }
      last['next'] = first
      return first
    }
    expect(canonical(around(3))).toBe(canonical(around(3)))
    expect(canonical(around(3))).not.toBe(canonical(around(2)))
  })

  it('toJSON is not asked, and no stack is looked at', () => {
    expect(canonical({ toJSON: undefined, a: 1 })).not.toBe(canonical({ a: 1 }))
    expect(canonical(new Error('a'))).toBe(canonical(makeError()))
  })

  function makeError(): Error {
    return new Error('a')
  }
})

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  maxDepth: 3,
})

describe('given any two values', () => {
  it('has one text for a value and for its copy with the keys in another order', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(canonical(turned(value))).toBe(canonical(value))
        expect(identityOf(turned(value))).toBe(identityOf(value))
      }),
    )
  })

  it('has one text exactly for what is deeply equal', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(anything, anything), fc.clone(anything, 2)), ([one, other]) => {
        expect(canonical(one) === canonical(other)).toBe(isDeepStrictEqual(one, other))
      }),
      { numRuns: 2000 },
    )
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.anything({ withNullPrototype: true }), (value) => void canonical(value)))
  })
})

/** Lists are kept, keys come the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, entry]) => [key, turned(entry)] as const)
      .reverse(),
  )
}

describe('given values that fight back', () => {
  it('a getter that throws, and a proxy that refuses, are written as such', () => {
    const fighting = {
      get a(): never {
        throw new Error('no')
      },
      b: 1,
    }
    expect(canonical(fighting)).toBe('o0:{k1:a!;k1:bd1;}')
    const refuse = (): never => {
      throw new TypeError('no')
    }
    const proxy = new Proxy({}, { ownKeys: refuse, getPrototypeOf: refuse, get: refuse })
    expect(canonical([proxy])).toMatch(/^a0:1\[o1:!/)
    const { proxy: revoked, revoke } = Proxy.revocable([], {})
    revoke()
    expect(() => canonical(revoked)).not.toThrow()
  })

  it('10,000 levels need no call stack', () => {
    let deep: unknown = 1
    for (let level = 0; level < 10_000; level += 1) {
      const kind = level % 4
      if (kind === 0) deep = [deep]
      else if (kind === 1) deep = { a: deep }
      else if (kind === 2) deep = new Map([['a', deep]])
      else deep = new Set([deep])
    }
    expect(identityOf(deep)).toBe(identityOf(deep))
    expect(identityOf(deep)).not.toBe(identityOf([deep]))
  })

  it('a long list of holes costs nothing', () => {
    const sparse: unknown[] = []
    sparse[4_000_000_000] = 1
    expect(canonical(sparse)).toBe('a0:4000000001[h4000000000;d1;]')
  })

  it('a small value that holds one part a billion times is cut', () => {
    let bomb: unknown = 1
    for (let level = 0; level < 40; level += 1) bomb = [bomb, bomb]
    expect(canonical(bomb, { maxValues: 1000 }).length).toBeLessThan(20_000)
  })
})

describe('given a value that is larger than the cap', () => {
  it('is written up to it, and of the rest its length and hash', () => {
    const text = canonical('x'.repeat(100), { maxCharacters: 20 })
    expect(text).toMatch(/^s100:x{15}~85:[a-z0-9]+$/)
    expect(canonical(`${'x'.repeat(99)}y`, { maxCharacters: 20 })).not.toBe(text)
    expect(canonical('x'.repeat(100), { maxCharacters: 105 })).toBe(`s100:${'x'.repeat(100)}`)
  })

  it('a text of 20 MB passes in small pieces, and is never held', () => {
    let largest = 0
    let total = 0
    writeCanonical(
      ['0123456789'.repeat(2_000_000)],
      (piece) => {
        largest = Math.max(largest, piece.length)
        total += piece.length
      },
      { maxCharacters: 1000 },
    )
    expect(largest).toBeLessThanOrEqual(64 * 1024)
    expect(total).toBeLessThan(1100)
  })

  it('a difference anywhere in 20 MB is a difference', () => {
    const long = 'x'.repeat(20_000_000)
    expect(identityOf(long)).not.toBe(identityOf(`${long.slice(1)}y`))
    expect(identityOf(long)).toBe(identityOf(`${'x'.repeat(10_000_000)}${'x'.repeat(10_000_000)}`))
  })
})
