import { describe, expect, it } from 'vitest'
import { commandEvidence, erroredVerdict, failedVerdict, pending, verdictOf } from '../../testing/index.ts'
import { englishPrompts } from './english.ts'

const noLimit = { turns: null, tokens: null }

function said(verdict: ReturnType<typeof failedVerdict>, times = 1): string {
  return englishPrompts.checksFailed([{ verdict, times }], noLimit)
}

describe('given a check that failed', () => {
  it('names the check, the reason, the command, its exit code and its output', () => {
    const evidence = [
      commandEvidence({ command: 'npm test --silent', exitCode: 7, output: 'AssertionError: 1 is not 2' }),
    ]
    expect(said(failedVerdict('npm test', { reason: '1 of 9 tests failed', evidence }))).toContain(
      'Check "npm test" failed: 1 of 9 tests failed\n$ npm test --silent\nAssertionError: 1 is not 2\n(exit code 7)',
    )
  })

  it('forbids the cheap way out', () => {
    expect(said(failedVerdict('a'))).toContain('Do not change a check to make it pass.')
  })

  it('tells a silent check from one that says something', () => {
    expect(
      said(failedVerdict('a', { evidence: [commandEvidence({ command: 'true', exitCode: 1 })] })),
    ).toContain('$ true\n(exit code 1, no output)')
  })

  it.each([
    [erroredVerdict('a'), 'could not decide'],
    [pending('a'), 'is pending'],
  ])('does not call failed what did not fail', (verdict, words) => {
    expect(said(verdict)).toContain(`Check "a" ${words}`)
    expect(said(verdict)).not.toContain('Check "a" failed')
  })

  it('names each of many, the first ones with what they saw', () => {
    const open = ['a', 'b', 'c', 'd', 'e'].map((name) => failedVerdict(name, { reason: `${name} is red` }))
    const text = englishPrompts.checksFailed(
      open.map((verdict) => ({ verdict, times: 1 })),
      noLimit,
    )
    for (const { verifier } of open) expect(text).toContain(`Check "${verifier}" failed: ${verifier} is red`)
  })

  it('says of one that did not run that it was skipped', () => {
    const verdict = verdictOf('skipped', 'lint', { reason: 'lint did not run: a failed' })
    expect(said(verdict)).toContain('Check "lint" was skipped: lint did not run: a failed')
  })
})

describe('given a check that prints ten megabytes', () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index} of a very long story`)
  const output = lines.join('\n')

  it('cuts it and keeps both ends, the last lines above all', () => {
    const text = said(failedVerdict('a', { evidence: [commandEvidence({ output })] }))
    expect(text.length).toBeLessThan(4000)
    expect(text).toContain('line 0 of')
    expect(text).toContain(lines.slice(-40).join('\n'))
    expect(text).toMatch(/\[\.\.\. \d+ characters left out \.\.\.\]/)
  })

  it('bounds what many pieces of evidence make together', () => {
    const evidence = Array.from({ length: 500 }, () => commandEvidence({ output }))
    expect(said(failedVerdict('a', { evidence })).length).toBeLessThan(40_000)
  })

  it('says how much was left out already where it was recorded', () => {
    const { output: excerpt, ...command } = commandEvidence({ output: 'head' })
    const evidence = [{ ...command, output: { ...excerpt, tail: 'tail', omittedBytes: 9_000_000 } }]
    expect(said(failedVerdict('a', { evidence }))).toContain('head\n[... 9000000 bytes left out ...]\ntail')
  })
})

describe('given what is left of the budget', () => {
  it.each([
    [{ turns: 3, tokens: 1200 }, 'Left: 3 turns, 1200 tokens.'],
    [{ turns: 1, tokens: null }, 'Left: 1 turn.'],
    [{ turns: null, tokens: 5 }, 'Left: 5 tokens.'],
  ])('says %j', (left, sentence) => {
    expect(englishPrompts.checksFailed([], left)).toContain(sentence)
  })
})

describe('given the other sentences', () => {
  it('never tells an agent that it is done, and always what to do', () => {
    expect(englishPrompts.checksPass()).toContain('If the task is finished, answer without calling a tool')
    expect(englishPrompts.nothingProven()).toContain('Do the task')
    expect(englishPrompts.notDone()).toContain('Go on')
    expect(englishPrompts.replyCutOff()).toContain('Go on from where it stopped')
    expect(englishPrompts.turnInterrupted()).toContain('look before you repeat')
    expect(englishPrompts.toolOutcomeUnknown('shell')).toContain('while shell was running')
  })
})

describe('given the end of a budget', () => {
  it('tells how much is used, and to go on', () => {
    const used = { percent: 34, turnTokens: 3400, budgetTokens: 10_000 }
    expect(englishPrompts.budgetLeft(used)).toBe(
      'You stopped at 34% of the token budget for this task (3400 of 10000 output tokens). Keep working on it; do not summarise.',
    )
  })

  it('asks for the final summary: why, what is open, what to say, and no more tools', () => {
    const words = englishPrompts.finalSummary({
      message: 'turn limit reached (4 of 4)',
      openChecks: ['npm test', 'lint'],
    })
    expect(words).toContain('This run ends now: turn limit reached (4 of 4).')
    expect(words).toContain('Checks that do not pass: npm test, lint.')
    expect(words).toContain('You have no tools any more')
    expect(words).toContain('what is done, what is left, and how to go on')
    expect(englishPrompts.finalSummary({ message: 'x', openChecks: [] })).not.toContain('Checks that')
  })

  it('is bounded, whatever stands in it', () => {
    const long = 'x'.repeat(1_000_000)
    expect(englishPrompts.finalSummary({ message: long, openChecks: [long] }).length).toBeLessThan(8000)
  })
})
