import { describe, expect, it } from 'vitest'
import { exitCodeOf, exitCodeOfStop } from '../../stops/index.ts'
import { deterministicVeto } from '../policy.ts'
import {
  checked,
  failedVerdict,
  given,
  passedVerdict,
  runStarted,
  verdictOf,
} from '../../../testing/index.ts'
import { goalSet } from '../../../testing/facts.ts'
import { concludeVerification } from '../conclude-verification.ts'

const guard = { name: 'tamper guard', role: 'guard' } as const

function conclude(...verdicts: Parameters<typeof checked>[1][]) {
  const names = verdicts.map(({ verifier }) => (verifier === guard.name ? guard : verifier))
  const { state } = given(runStarted({ verifiers: names }), goalSet(), checked('turn', ...verdicts))
  return concludeVerification(state, deterministicVeto)
}

describe('given verdicts and no drive', () => {
  it.each([
    ['passed', 'task_complete', 0],
    ['failed', 'verifier_failed_unrecoverable', 1],
    ['error', 'blocked', 5],
    ['pending', 'awaiting_approval', 5],
    ['skipped', 'model_ended', 4],
  ] as const)('%s ends as %s with exit code %i', (status, reason, exitCode) => {
    const transition = conclude(verdictOf(status, 'tests'))
    expect(transition.reason).toBe(reason)
    expect(exitCodeOf[transition.outcome]).toBe(exitCode)
  })

  it('the reasons of those that decided are given', () => {
    const transition = conclude(failedVerdict('lint', { reason: 'two problems' }), passedVerdict('tests'))
    expect(transition.message).toBe('two problems')
  })

  it('everything else that is open is named after them, also what did not run', () => {
    const judge = verdictOf('skipped', 'judge', { reason: 'judge did not run: tests failed' })
    const transition = conclude(
      passedVerdict('build'),
      verdictOf('error', 'lint'),
      failedVerdict('tests'),
      judge,
    )
    expect(transition.message).toBe('tests failed; lint timed out; judge did not run: tests failed')
  })

  it('a check that was asked wrongly is a misuse, one that lacks something is not', () => {
    const wrong = verdictOf('error', 'lint', { canRetry: false, qualifiers: ['unverifiable'] })
    const lacking = verdictOf('error', 'lint', { canRetry: false, qualifiers: ['infrastructure'] })
    expect(exitCodeOfStop(conclude(wrong, passedVerdict('tests')))).toBe(2)
    expect(exitCodeOfStop(conclude(lacking, passedVerdict('tests')))).toBe(5)
    expect(exitCodeOfStop(conclude(wrong, failedVerdict('tests')))).toBe(1)
  })

  it('a guard that does not pass outweighs green checks', () => {
    expect(conclude(failedVerdict(guard.name), passedVerdict('tests')).outcome).toBe('failed')
    expect(conclude(verdictOf('error', guard.name), passedVerdict('tests')).outcome).toBe('blocked')
  })

  it('when somebody has allowed a change of the checks, then the end says who', () => {
    const allowed = {
      kind: 'authority',
      paths: ['sum.test.js'],
      by: 'ann',
      reason: 'agreed',
    } as const
    const named = passedVerdict(guard.name, { reason: 'allowed by ann: sum.test.js', evidence: [allowed] })
    expect(conclude(named, passedVerdict('tests')).message).toBe('allowed by ann: sum.test.js; tests passed')
    expect(conclude(passedVerdict(guard.name), passedVerdict('tests')).message).toBe('tests passed')
    const asked = passedVerdict('tests', { evidence: [allowed] })
    expect(
      conclude(passedVerdict(guard.name), asked, passedVerdict('lint', { evidence: [allowed] })).message,
    ).toBe('tests passed; lint passed; sum.test.js allowed by ann')
    expect(conclude(named, asked).message).toBe('allowed by ann: sum.test.js; tests passed')
  })

  it('when a required check was left out, then the end names it', () => {
    const waived = verdictOf('skipped', 'lint', { reason: 'waived by Ada', qualifiers: ['waived'] })
    expect(conclude(passedVerdict('tests'), waived).message).toBe(
      'tests passed; left out: lint (waived by Ada)',
    )
  })

  it('without any verdict it is unverified', () => {
    expect(conclude().outcome).toBe('unverified')
  })
})
