import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../base/index.ts'
import { verifierContract } from '../../../../testing/contracts/verifier-contract.ts'
import { exactMatch } from './text-checks.ts'
import { ask, brokenSource, waitingSource } from './fixtures/ask.ts'

verifierContract('exactMatch', {
  passing: () => exactMatch('It is done.'),
  failing: () => exactMatch('It is done'),
  makeUndecided: () => exactMatch('done', { source: brokenSource }),
  hanging: (onStart) => exactMatch('done', { source: waitingSource(onStart) }),
})

describe('given an answer that must be exactly so', () => {
  it.each([
    ['42', '42', 'passed'],
    ['42', 'the answer is 42', 'failed'],
    ['42', '42\n', 'failed'],
    ['42', '', 'failed'],
    ['Yes', 'yes', 'failed'],
    ['café', 'cafe\u0301', 'failed'],
  ])('expects %j, gets %j: %s', async (expected, answer, status) => {
    expect(await ask(exactMatch(expected), answer)).toMatchObject({ status })
  })

  it('says where it begins to differ', async () => {
    const { reason } = await ask(exactMatch('one\ntwo'), 'one\ntwin')
    expect(reason).toContain('character 7 (line 2)')
    expect(reason).toContain('"in"')
    expect(reason).toContain('"o"')
  })

  it.each([
    [{ whitespace: 'trimmed' }, 'a  b', ' a  b\n', 'passed'],
    [{ whitespace: 'trimmed' }, 'a b', 'a  b', 'failed'],
    [{ whitespace: 'collapsed' }, 'a b', ' a \n\t b ', 'passed'],
    [{ whitespace: 'collapsed' }, 'café', 'cafe\u0301', 'passed'],
    [{ whitespace: 'collapsed' }, 'ab', 'a b', 'failed'],
    [{ caseSensitive: false }, 'Yes', 'yES', 'passed'],
  ] as const)('lets differ what %j names: %j and %j', async (form, expected, answer, status) => {
    expect(await ask(exactMatch(expected, form), answer)).toMatchObject({ status })
  })

  it('does not take a value that is no text', async () => {
    const report = await ask(exactMatch('1', { source: { value: () => 1 } }), '1')
    expect(report).toMatchObject({ status: 'error' })
    expect(report.reason).toContain('no text')
  })

  it('passes for nothing but the expected text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (answer) => {
        const { status } = await ask(exactMatch('the expected'), answer)
        expect(status).toBe(answer === 'the expected' ? 'passed' : 'failed')
      }),
      { numRuns: 50 },
    )
  })
})

describe('given misuse', () => {
  it.each(['', ' ', '\n'])('refuses the expected text %j, which a missing answer would match', (expected) => {
    expect(() => exactMatch(expected)).toThrow(UsageError)
  })

  it('refuses a word for white space that it does not know', () => {
    const options: object = { whitespace: 'loose' }
    expect(() => exactMatch('a', options)).toThrow(/"exact", "trimmed" or "collapsed"/)
  })
})

describe('given the question what its verdict depends on', () => {
  it('names the answer and every option', () => {
    const { inputs, description } = exactMatch('a', { caseSensitive: false })
    expect(inputs).toEqual({
      definition: { kind: 'exactMatch', expected: 'a', caseSensitive: false, whitespace: 'exact' },
      environmentDigest: undefined,
      readsAnswer: true,
      files: [],
    })
    expect(description.reads).toBe('answer')
  })

  it('names the one file that it reads, as a glob', () => {
    const { inputs, description } = exactMatch('a', { source: { file: './out/[id]*.txt' } })
    expect(inputs).toMatchObject({ readsAnswer: false, files: ['out/?id??.txt'] })
    expect(description.reads).toBe('workspace')
  })

  it('cannot say it for a function', () => {
    expect(exactMatch('a', { source: { value: () => 'a' } }).inputs).toBeUndefined()
  })

  it('is asked as the options say', () => {
    const verifier = exactMatch('a', {
      name: 'word',
      required: false,
      exclusive: true,
      retry: { failure: 2 },
    })
    expect(verifier).toMatchObject({
      exclusive: true,
      retry: { infrastructure: 2, failure: 2 },
      description: { name: 'word', required: false },
    })
  })
})
