import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../base/index.ts'
import { verifierContract } from '../../../../testing/contracts/verifier-contract.ts'
import { countOf } from './bounds.ts'
import { ask, brokenSource, waitingSource } from './fixtures/ask.ts'
import { responseLength, type LengthBounds } from './text-checks.ts'

verifierContract('responseLength', {
  passing: () => responseLength({ words: { min: 3, max: 3 } }),
  failing: () => responseLength({ words: { min: 4 } }),
  makeUndecided: () => responseLength({ words: { min: 1 } }, { source: brokenSource }),
  hanging: (onStart) => responseLength({ words: { min: 1 } }, { source: waitingSource(onStart) }),
})

describe('given a text to be counted', () => {
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
  ] as const)('counts the %s of %j: %d', (unit, text, count) => {
    expect(countOf(unit, text)).toBe(count)
  })

  it('never finds more words than characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(countOf('words', text)).toBeLessThanOrEqual(countOf('characters', text))
      }),
    )
  })
})

describe('given bounds of a length', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')

  it.each([
    [149, 'failed'],
    [179, 'failed'],
    [180, 'passed'],
    [260, 'passed'],
    [261, 'failed'],
  ])('wants 180 to 260 words, gets %d: %s', async (count, status) => {
    const report = await ask(responseLength({ words: { min: 180, max: 260 } }), words(count))
    expect(report).toMatchObject({ status, evidence: [{ kind: 'measure', name: 'words', value: count }] })
    expect(report.reason).toContain(`${count} words`)
  })

  it('wants every bound to hold', async () => {
    const both: LengthBounds = { words: { max: 2 }, lines: { min: 2 } }
    expect(await ask(responseLength(both), 'a\nb')).toMatchObject({ status: 'passed' })
    expect(await ask(responseLength(both), 'a b')).toMatchObject({ status: 'failed' })
    expect(await ask(responseLength(both), 'a b\nc')).toMatchObject({ status: 'failed' })
  })
})

describe('given misuse', () => {
  it.each<[LengthBounds]>([
    [{}],
    [{ words: {} }],
    [{ words: { min: 3, max: 2 } }],
    [{ words: { min: Number.NaN } }],
    [{ lines: { max: Number.POSITIVE_INFINITY } }],
  ])('refuses the bounds %j', (bounds) => {
    expect(() => responseLength(bounds)).toThrow(UsageError)
  })

  it('refuses a unit that it does not know', () => {
    const bounds: object = { words: { min: 1 }, pages: { max: 3 } }
    expect(() => responseLength(bounds)).toThrow(/pages/)
  })
})
