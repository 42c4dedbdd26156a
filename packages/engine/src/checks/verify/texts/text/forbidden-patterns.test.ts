import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../base/index.ts'
import { verifierContract } from '../../../../testing/contracts/verifier-contract.ts'
import { ask, brokenSource, waitingSource, wordsOf } from './fixtures/ask.ts'
import { forbiddenPatterns } from './text-checks.ts'

verifierContract('forbiddenPatterns', {
  passing: () => forbiddenPatterns(['TODO']),
  failing: () => forbiddenPatterns([/do\w+/]),
  makeUndecided: () => forbiddenPatterns(['TODO'], { source: brokenSource }),
  hanging: (onStart) => forbiddenPatterns(['TODO'], { source: waitingSource(onStart) }),
})

describe('given what may not stand in the answer', () => {
  it('names every pattern that does, with its places', async () => {
    const report = await ask(
      forbiddenPatterns(['according to', /stud(ies|y) shows?/i, 'never']),
      'First.\nStudies show it, according to\nnobody; a study shows it.',
    )
    expect(report).toMatchObject({ status: 'failed' })
    expect(wordsOf(report)).toContain('line 2: according to ("according to")')
    expect(wordsOf(report)).toContain('line 2: Studies show')
    expect(wordsOf(report)).toContain('line 3: study shows')
    expect(report.reason).not.toContain('never')
  })

  it('finds other cases where asked to', async () => {
    expect(await ask(forbiddenPatterns(['todo']), 'a TODO')).toMatchObject({ status: 'passed' })
    const loose = forbiddenPatterns(['todo'], { caseSensitive: false })
    expect(await ask(loose, 'a TODO')).toMatchObject({ status: 'failed' })
  })

  it('finds words over a line break where white space does not count', async () => {
    const loose = forbiddenPatterns(['as an AI'], { whitespace: 'collapsed' })
    expect(await ask(loose, 'well, as\n  an AI …')).toMatchObject({ status: 'failed' })
  })

  it.each(['', ' \n'])('does not pass the answer %j: nothing was checked', async (answer) => {
    expect(await ask(forbiddenPatterns(['TODO']), answer)).toMatchObject({ status: 'failed' })
  })

  it('keeps its report short for ten megabytes of what is forbidden', async () => {
    const report = await ask(forbiddenPatterns(['x']), 'x'.repeat(10_000_000))
    expect(report).toMatchObject({ status: 'failed' })
    expect(JSON.stringify(report).length).toBeLessThan(10_000)
  })

  it('is an error when an expression would not end: it is not known to be free', async () => {
    const report = await ask(forbiddenPatterns(['b', /(a+)+$/], { matchTimeoutMs: 50 }), `${'a'.repeat(60)}c`)
    expect(report).toMatchObject({ status: 'error' })
  })
})

describe('given misuse', () => {
  it.each([[[]], [['']], [['a', '']]])('refuses the patterns %j', (patterns) => {
    expect(() => forbiddenPatterns(patterns)).toThrow(UsageError)
  })
})
