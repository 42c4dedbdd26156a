import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../base/index.ts'
import { verifierContract } from '../../../../testing/contracts/verifier-contract.ts'
import type { Bounds } from './bounds.ts'
import { ask, brokenSource, waitingSource } from './fixtures/ask.ts'
import { numericRange, type NumberOf } from './numeric-range.ts'

verifierContract('numericRange', {
  passing: () => numericRange('words', { min: 3, max: 3 }),
  failing: () => numericRange('words', { max: 2 }),
  makeUndecided: () => numericRange('words', { min: 1 }, { source: brokenSource }),
  hanging: (onStart) => numericRange('words', { min: 1 }, { source: waitingSource(onStart) }),
})

const ofValue = (value: unknown, bounds: Bounds, allowInfinite = false) =>
  ask(numericRange('number', bounds, { source: { value: () => value }, allowInfinite }), '')

describe('given a number', () => {
  it.each([
    [5, 'passed'],
    [1, 'passed'],
    [10, 'passed'],
    [0.999, 'failed'],
    [10.001, 'failed'],
    [-5, 'failed'],
    [Number.NaN, 'failed'],
    [Number.POSITIVE_INFINITY, 'failed'],
    [Number.NEGATIVE_INFINITY, 'failed'],
    [true, 'failed'],
    [5n, 'failed'],
    [null, 'failed'],
    [undefined, 'failed'],
    [[5], 'failed'],
    ['5', 'passed'],
    ['five', 'failed'],
    ['', 'failed'],
    ['NaN', 'failed'],
    ['0x5', 'failed'],
  ])('asks whether %s lies in 1 to 10: %s', async (value, status) => {
    expect(await ofValue(value, { min: 1, max: 10 })).toMatchObject({ status })
  })

  it('does not let infinity pass for want of a bound, unless that is allowed', async () => {
    expect(await ofValue(Number.POSITIVE_INFINITY, { min: 0 })).toMatchObject({ status: 'failed' })
    expect(await ofValue('1e999', { min: 0 })).toMatchObject({ status: 'failed' })
    expect(await ofValue(Number.POSITIVE_INFINITY, { min: 0 }, true)).toMatchObject({ status: 'passed' })
    expect(await ofValue(Number.NEGATIVE_INFINITY, { min: 0 }, true)).toMatchObject({ status: 'failed' })
    expect(await ofValue(Number.NaN, { min: 0 }, true)).toMatchObject({ status: 'failed' })
  })

  it('passes exactly within the bounds', async () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    await fc.assert(
      fc.asyncProperty(number, number, number, async (value, one, other) => {
        const bounds = { min: Math.min(one, other), max: Math.max(one, other) }
        const { status } = await ofValue(value, bounds)
        expect(status).toBe(value >= bounds.min && value <= bounds.max ? 'passed' : 'failed')
      }),
      { numRuns: 60 },
    )
  })
})

describe('given where the number comes from', () => {
  const json = 'The score:\n```json\n{"score": 0.84, "all": [1, 2], "text": "0.9", "ok": true}\n```'

  it.each<[NumberOf, string, Bounds, string]>([
    ['words', 'one two', { min: 2, max: 2 }, 'passed'],
    ['characters', 'abc', { max: 2 }, 'failed'],
    ['lines', 'a\nb', { min: 2 }, 'passed'],
    ['number', ' -1.5e1\n', { min: -15, max: -15 }, 'passed'],
    [{ jsonPath: '$.score' }, json, { min: 0.7 }, 'passed'],
    [{ jsonPath: '$.score' }, json, { min: 0.9 }, 'failed'],
    [{ jsonPath: '$.text' }, json, { min: 0.7 }, 'failed'],
    [{ jsonPath: '$.ok' }, json, { min: 0 }, 'failed'],
    [{ jsonPath: '$.all[*]' }, json, { min: 0 }, 'failed'],
    [{ jsonPath: '$.none' }, json, { min: 0 }, 'failed'],
    [{ jsonPath: '$.score' }, 'no JSON', { min: 0 }, 'failed'],
    [(text) => String(text).length, 'abc', { min: 3, max: 3 }, 'passed'],
    [() => Number.NaN, 'abc', { min: 3 }, 'failed'],
    [() => '3', 'abc', { min: 3 }, 'failed'],
  ])('reads %j of %j, wants %j: %s', async (of, answer, bounds, status) => {
    expect(await ask(numericRange(of, bounds), answer)).toMatchObject({ status })
  })

  it('keeps the number and the bound that it breaks', async () => {
    const { evidence } = await ask(numericRange('words', { min: 3 }), 'one')
    expect(evidence).toEqual([{ kind: 'measure', name: 'words of the answer', value: 1, bound: 3 }])
  })

  it('is an error when the function throws, and never remembered', async () => {
    const verifier = numericRange(
      () => {
        throw new Error('no number today')
      },
      { min: 0 },
    )
    expect(await ask(verifier, 'a')).toMatchObject({ status: 'error' })
    expect(verifier.inputs).toBeUndefined()
  })
})

describe('given misuse', () => {
  it.each<[Bounds]>([
    [{}],
    [{ min: 2, max: 1 }],
    [{ min: Number.NaN }],
    [{ max: Number.NaN }],
    [{ max: Number.POSITIVE_INFINITY }],
  ])('refuses the bounds %j', (bounds) => {
    expect(() => numericRange('words', bounds)).toThrow(UsageError)
  })

  it.each([{ jsonPath: 'score' }, { jsonPath: '$[' }])('refuses the number of %j', (of) => {
    expect(() => numericRange(of, { min: 0 })).toThrow(/RFC 9535/)
  })

  it('refuses the number of what it does not know', () => {
    const call = () => void Reflect.apply(numericRange, undefined, ['pages', { min: 0 }])
    expect(call).toThrow(UsageError)
  })
})
