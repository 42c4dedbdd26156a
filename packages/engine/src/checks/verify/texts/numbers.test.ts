import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { ask, brokenSource, waitingSource } from './fixtures/ask.ts'
import { numericRange, responseLength, type Bounds, type NumberOf } from './numbers.ts'

verifierContract('numericRange', {
  passing: () => numericRange((text) => String(text).length, { min: 11, max: 11 }),
  failing: () => numericRange('number', { max: 2 }),
  makeUndecided: () => numericRange('number', { min: 1 }, { source: brokenSource }),
  hanging: (onStart) => numericRange('number', { min: 1 }, { source: waitingSource(onStart) }),
})

verifierContract('responseLength', {
  passing: () => responseLength({ words: { min: 3, max: 3 } }),
  failing: () => responseLength({ words: { min: 4 } }),
  makeUndecided: () => responseLength({ words: { min: 1 } }, { source: brokenSource }),
  hanging: (onStart) => responseLength({ words: { min: 1 } }, { source: waitingSource(onStart) }),
})

const ofValue = (value: unknown, bounds: Bounds) =>
  ask(numericRange('number', bounds, { source: { value: () => value } }), '')

describe('given a number', () => {
  it.each([
    [5, 'passed'],
    [1, 'passed'],
    [10, 'passed'],
    [0.999, 'failed'],
    [10.001, 'failed'],
    [Number.NaN, 'failed'],
    [Number.POSITIVE_INFINITY, 'failed'],
    [true, 'failed'],
    [5n, 'failed'],
    [null, 'failed'],
    [undefined, 'failed'],
    [[5], 'failed'],
    ['5', 'passed'],
    ['five', 'failed'],
    ['', 'failed'],
    ['0x5', 'failed'],
  ])('asks whether %s lies in 1 to 10: %s', async (value, status) => {
    expect(await ofValue(value, { min: 1, max: 10 })).toMatchObject({ status })
  })

  it.each([Number.POSITIVE_INFINITY, '1e999'])('does not let %s pass for want of a bound', async (value) => {
    expect(await ofValue(value, { min: 0 })).toMatchObject({ status: 'failed' })
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

  it('is an error when the function throws', async () => {
    const verifier = numericRange(
      () => {
        throw new Error('no number today')
      },
      { min: 0 },
    )
    expect(await ask(verifier, 'a')).toMatchObject({ status: 'error' })
  })
})

describe('given bounds of a length', () => {
  it.each([
    ['words', '', 0],
    ['words', ' one  two\n', 2],
    ['words', 'well - known — to * all', 4],
    ['words', '\u200b \u200b \u200b', 0],
    ['words', "don't 3.5 größer 猫", 4],
    ['characters', '', 0],
    ['characters', 'a😀b', 3],
    ['lines', '', 0],
    ['lines', 'a', 1],
    ['lines', 'a\n', 1],
    ['lines', 'a\r\nb\r\n', 2],
    ['lines', '\n\n', 2],
  ] as const)('counts the %s of %j: %d', async (unit, text, value) => {
    const source = { value: () => text }
    const { evidence } = await ask(responseLength({ [unit]: { min: 0 } }, { source }), '')
    expect(evidence).toEqual([{ kind: 'measure', name: unit, value }])
  })

  it.each([
    [179, 'failed'],
    [180, 'passed'],
    [260, 'passed'],
    [261, 'failed'],
  ])('wants 180 to 260 words, gets %d: %s', async (value, status) => {
    const report = await ask(responseLength({ words: { min: 180, max: 260 } }), 'word '.repeat(value))
    expect(report).toMatchObject({ status, evidence: [{ kind: 'measure', name: 'words', value }] })
    expect(report.reason).toContain(`${value} words`)
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
    expect(() => numericRange('number', bounds)).toThrow(UsageError)
    expect(() => responseLength({ words: bounds })).toThrow(UsageError)
  })

  it.each([{ jsonPath: 'score' }, { jsonPath: '$[' }])('refuses the number of %j', (of) => {
    expect(() => numericRange(of, { min: 0 })).toThrow(/RFC 9535/)
  })

  it('refuses what it does not know', () => {
    const bounds: object = { words: { min: 1 }, pages: { max: 3 } }
    expect(() => responseLength(bounds)).toThrow(/pages/)
    expect(() => responseLength({})).toThrow(UsageError)
    expect(() => void Reflect.apply(numericRange, undefined, ['pages', { min: 0 }])).toThrow(UsageError)
  })
})
