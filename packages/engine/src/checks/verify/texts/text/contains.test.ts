import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../base/index.ts'
import { verifierContract } from '../../../../testing/contracts/verifier-contract.ts'
import { contains } from './text-checks.ts'
import { ask, brokenSource, waitingSource, wordsOf } from './fixtures/ask.ts'

verifierContract('contains', {
  passing: () => contains('done'),
  failing: () => contains('impossible'),
  makeUndecided: () => contains('done', { source: brokenSource }),
  hanging: (onStart) => contains('done', { source: waitingSource(onStart) }),
})

describe('given a text that must stand in the answer', () => {
  it.each([
    ['done', 'all done here', 'passed'],
    ['done', 'all Done here', 'failed'],
    ['a.c', 'abc', 'failed'],
    [/a.c/, 'abc', 'passed'],
    [/^b$/m, 'a\nb\nc', 'passed'],
    [/^b$/, 'a\nb\nc', 'failed'],
  ])('looks for %s in %j: %s', async (pattern, answer, status) => {
    expect(await ask(contains(pattern), answer)).toMatchObject({ status })
  })

  it('says in which line', async () => {
    expect(wordsOf(await ask(contains('b'), 'a\nb'))).toContain('line 2: b')
  })

  it('counts places that do not overlap', async () => {
    expect(await ask(contains('aa', { atLeast: 2 }), 'aaa')).toMatchObject({ status: 'failed' })
    expect(await ask(contains('aa', { atLeast: 2 }), 'aaaa')).toMatchObject({ status: 'passed' })
    expect(await ask(contains(/a./, { atLeast: 2 }), 'abac')).toMatchObject({ status: 'passed' })
  })

  it('asks the case-insensitive question of texts and expressions alike', async () => {
    for (const pattern of ['DONE', /DONE/])
      expect(await ask(contains(pattern, { caseSensitive: false }), 'done')).toMatchObject({
        status: 'passed',
      })
  })

  it('gives the same answer again for an expression with a memory', async () => {
    const verifier = contains(/done/gy)
    for (const answer of ['done', 'all done', 'done'])
      expect(await ask(verifier, answer)).toMatchObject({ status: 'passed' })
  })

  it('survives an expression that finds nothing at every place', async () => {
    expect(await ask(contains(/x*/, { atLeast: 3 }), 'abc')).toMatchObject({ status: 'passed' })
  })
})

describe('given an expression that would not end', () => {
  it('is an error, and the process goes on', async () => {
    const report = await ask(contains(/(a+)+$/, { matchTimeoutMs: 50 }), `${'a'.repeat(60)}b`)
    expect(report).toMatchObject({ status: 'error' })
    expect(report.reason).toContain('did not end within 0.05 s')
  })
})

describe('given misuse', () => {
  it.each(['', new RegExp('')])('refuses the pattern %j, which stands in every text', (pattern) => {
    expect(() => contains(pattern)).toThrow(UsageError)
  })

  it('refuses a pattern of white space alone where that does not count', () => {
    expect(() => contains(' \n', { whitespace: 'collapsed' })).toThrow(UsageError)
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses to look for %d places', (atLeast) => {
    expect(() => contains('a', { atLeast })).toThrow(UsageError)
  })

  it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses to match for %d ms',
    (matchTimeoutMs) => {
      expect(() => contains('a', { matchTimeoutMs })).toThrow(UsageError)
    },
  )

  it.each([
    {},
    { file: '' },
    { file: '../x' },
    { file: '/etc/passwd' },
    { file: 'a/../../x' },
    { file: 'a\0b' },
  ])('refuses the source %j', (source) => {
    const options: object = { source }
    expect(() => contains('a', options)).toThrow(UsageError)
  })
})
