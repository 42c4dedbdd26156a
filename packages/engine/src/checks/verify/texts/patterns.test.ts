import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { ask, brokenSource, waitingSource, wordsOf } from './fixtures/ask.ts'
import { contains, forbiddenPatterns, requiredItems, type PatternOptions } from './patterns.ts'

const kinds = [
  ['contains', (options?: PatternOptions) => contains('done', options), () => contains('impossible')],
  [
    'forbiddenPatterns',
    (options?: PatternOptions) => forbiddenPatterns(['TODO'], options),
    () => forbiddenPatterns([/do\w+/]),
  ],
  [
    'requiredItems',
    (options?: PatternOptions) => requiredItems(['It', /done/], options),
    () => requiredItems(['It', 'undone']),
  ],
] as const

for (const [kind, make, failing] of kinds)
  verifierContract(kind, {
    passing: () => make(),
    failing,
    makeUndecided: () => make({ source: brokenSource }),
    hanging: (onStart) => make({ source: waitingSource(onStart) }),
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

  it.each([
    ['aa', 2, 'aaa', 'failed'],
    ['aa', 2, 'aaaa', 'passed'],
    [/a./, 2, 'abac', 'passed'],
    [/x*/, 3, 'abc', 'passed'],
  ])('counts places of %s that do not overlap, wants %d in %s: %s', async (one, atLeast, answer, status) => {
    expect(await ask(contains(one, { atLeast }), answer)).toMatchObject({ status })
  })

  it.each(['DONE', /DONE/])('finds %s in lower case where asked to', async (pattern) => {
    expect(await ask(contains(pattern, { caseSensitive: false }), 'done')).toMatchObject({ status: 'passed' })
  })

  it('gives the same answer again for an expression with a memory', async () => {
    const verifier = contains(/done/gy)
    for (const answer of ['done', 'all done', 'done'])
      expect(await ask(verifier, answer)).toMatchObject({ status: 'passed' })
  })
})

describe('given what may not stand in the answer', () => {
  it('names every pattern that does, with its places', async () => {
    const report = await ask(
      forbiddenPatterns(['according to', /stud(ies|y) shows?/i, 'never']),
      'First.\nStudies show it, according to\nnobody; a study shows it.',
    )
    expect(report).toMatchObject({ status: 'failed' })
    for (const words of [
      'line 2: according to ("according to")',
      'line 2: Studies show',
      'line 3: study shows',
    ])
      expect(wordsOf(report)).toContain(words)
    expect(report.reason).not.toContain('never')
  })

  it.each(['', ' \n'])('does not pass the answer %j: nothing was checked', async (answer) => {
    expect(await ask(forbiddenPatterns(['TODO']), answer)).toMatchObject({ status: 'failed' })
  })

  it('keeps its report short for ten megabytes of what is forbidden', async () => {
    const report = await ask(forbiddenPatterns(['x']), 'x'.repeat(10_000_000))
    expect(report).toMatchObject({ status: 'failed' })
    expect(JSON.stringify(report).length).toBeLessThan(10_000)
  })
})

describe('given items that must all be there', () => {
  it('names each one that is missing', async () => {
    const report = await ask(requiredItems(['alpha', 'beta', /gam+a/]), 'only beta here')
    expect(report).toMatchObject({ status: 'failed' })
    expect(report.reason).toContain('2 of 3')
    expect(wordsOf(report)).toContain('missing: "alpha"')
    expect(wordsOf(report)).toContain('missing: /gam+a/')
  })
})

describe('given an expression that would not end', () => {
  const answer = `${'a'.repeat(60)}b`
  const [slow, options] = [/(a+)+$/, { matchTimeoutMs: 50 }]

  it.each([
    contains(slow, options),
    forbiddenPatterns(['c', slow], options),
    requiredItems(['a', slow], options),
  ])('is an error, and the process goes on', async (verifier) => {
    const report = await ask(verifier, answer)
    expect(report).toMatchObject({ status: 'error' })
    expect(report.reason).toContain('did not end within 0.05 s')
  })
})

describe('given misuse', () => {
  it.each(['', new RegExp('')])('refuses the pattern %j, which stands in every text', (pattern) => {
    expect(() => contains(pattern)).toThrow(UsageError)
    expect(() => forbiddenPatterns(['a', pattern])).toThrow(UsageError)
    expect(() => requiredItems(['a', pattern])).toThrow(UsageError)
  })

  it('refuses an empty list', () => {
    expect(() => forbiddenPatterns([])).toThrow(UsageError)
    expect(() => requiredItems([])).toThrow(UsageError)
  })

  it.each([
    { atLeast: 0 },
    { atLeast: 1.5 },
    { matchTimeoutMs: 0 },
    { matchTimeoutMs: Number.NaN },
    { source: {} },
    { source: { file: '' } },
    { source: { file: '../x' } },
    { source: { file: '/etc/passwd' } },
    { source: { file: 'a/../../x' } },
    { source: { file: 'a\0b' } },
  ])('refuses %j', (given) => {
    const options: object = given
    expect(() => contains('a', options)).toThrow(UsageError)
  })
})
