import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readOutcome } from '../calls.ts'

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

  it.each([
    'File "main.py", line 3\nIndentationError: expected an indented block',
    'requests.exceptions.ConnectionError: no route',
    'No action was given. Please retry.',
  ])('%j speaks of a failure', (text) => {
    expect(readOutcome(text, null).failure).not.toBeNull()
  })

  it('code that names an exception does not', () => {
    expect(readOutcome('except ValueError: return none', null).failure).toBeNull()
  })

  it('where nobody says whether it failed, its words do', () => {
    expect(readOutcome('Traceback (most recent call last)', null).failure).not.toBeNull()
    expect(readOutcome('all tests pass', null).failure).toBeNull()
    expect(readOutcome(`${'x'.repeat(5000)} error`, null).failure).toBeNull()
  })

  it.each([
    'The file src/a.ts has been edited.\n+  throw new Error("not found")',
    'Edited src/errors.ts: replaced "failed" by "cannot connect".',
    'File created successfully at: src/invalid.ts',
    `Errors in Rust\n${'How to handle an error that cannot be recovered from.\n'.repeat(40)}Next page`.slice(
      7,
    ),
  ])('words of failure in an edit that was made, or within a page, are what it is about: %j', (text) => {
    expect(readOutcome(text, null).failure).toBeNull()
  })

  it.each([
    'No replacement was performed: old_str was not found',
    `Error: page not found\n${'and so on\n'.repeat(200)}`,
    `${'step done\n'.repeat(200)}ValueError: no such column`,
    `${'step done\n'.repeat(200)}The command exited with code 2`,
  ])('they say how it went where they stand first or last: %j', (text) => {
    expect(readOutcome(text, null).failure).not.toBeNull()
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
