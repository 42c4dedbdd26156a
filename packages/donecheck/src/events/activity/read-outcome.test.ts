import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readOutcome } from './read-outcome.ts'

describe('given what a tool gave back', () => {
  it('a success and a failure never say the same', () => {
    expect(readOutcome('all is well', false).outcome).not.toBe(readOutcome('all is well', true).outcome)
  })

  it('only a failure has a failure', () => {
    expect(readOutcome('error: no such file', false).failure).toBeNull()
    const failure = readOutcome('error: no such file', true)
    expect(failure.failure).toBe(failure.outcome)
  })

  it.each(['', '1', 'oh no!!'])('a complaint as short as %j is a failure all the same', (text) => {
    expect(readOutcome(text, true).failure).not.toBeNull()
    expect(readOutcome(text, false).failure).toBeNull()
  })

  it('line numbers of a failure are left out, those of a success are not', () => {
    const outcomes = (failed: boolean) => [
      readOutcome('line 3 is empty', failed).outcome,
      readOutcome('line 4 is empty', failed).outcome,
    ]
    expect(new Set(outcomes(true)).size).toBe(1)
    expect(new Set(outcomes(false)).size).toBe(2)
  })

  it('where nobody says whether it failed, its words do', () => {
    expect(readOutcome('Traceback (most recent call last)', null).failure).not.toBeNull()
    expect(readOutcome('all tests pass', null).failure).toBeNull()
    expect(readOutcome(`${'x'.repeat(5000)} error`, null).failure).toBeNull()
  })

  it('a text of more than 256 KiB is compared as it is', () => {
    const long = 'x'.repeat(256 * 1024)
    expect(readOutcome(`${long} 12:00:01`, false).outcome).not.toBe(
      readOutcome(`${long} 12:00:02`, false).outcome,
    )
    const short = 'x '.repeat(1000)
    expect(readOutcome(`${short} 12:00:01`, false).outcome).toBe(
      readOutcome(`${short} 12:00:02`, false).outcome,
    )
  })
})

describe('given keys of a result that mean nothing', () => {
  const outcome = (value: unknown, keys: readonly string[]) =>
    readOutcome(typeof value === 'string' ? value : JSON.stringify(value), false, keys).outcome

  it('results that differ in nothing else are the same, at any depth and in any order', () => {
    const one = { id: 'a', list: [{ id: 'b', name: 'x' }] }
    const other = { list: [{ name: 'x', id: 'c' }], id: 'd' }
    expect(outcome(one, ['id'])).toBe(outcome(other, ['id']))
    expect(outcome(one, [])).not.toBe(outcome(other, []))
    expect(outcome(one, ['id'])).not.toBe(outcome({ ...other, list: [] }, ['id']))
  })

  it('what is no JSON is compared as it is', () => {
    expect(outcome('id: one', ['id'])).not.toBe(outcome('id: two', ['id']))
    expect(outcome('{"id": one', ['id'])).not.toBe(outcome('{"id": two', ['id']))
  })

  it('deep JSON does no harm', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(() => outcome(deep, ['id'])).not.toThrow()
  })
})

describe('given any text', () => {
  it('is read the same way every time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(true, false, null), (text, failed) => {
        expect(readOutcome(text, failed)).toEqual(readOutcome(text, failed))
      }),
    )
  })
})
