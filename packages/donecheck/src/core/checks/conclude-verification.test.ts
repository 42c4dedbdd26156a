import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../stop-order.ts'
import { deterministicVeto } from '../policy.ts'
import { checked, failed, given, passed, runStarted, goalSet, verdictOf } from '../../testing/index.ts'
import { concludeVerification } from './conclude-verification.ts'

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
    const transition = conclude(failed('lint', { reason: 'two problems' }), passed('tests'))
    expect(transition.message).toBe('two problems')
  })

  it('a guard that does not pass outweighs green checks', () => {
    expect(conclude(failed(guard.name), passed('tests')).outcome).toBe('failed')
    expect(conclude(verdictOf('error', guard.name), passed('tests')).outcome).toBe('blocked')
  })

  it('when earlier files were put back, then the end says that what is delivered differs', () => {
    const finding = {
      kind: 'finding',
      rule: 'test.skipped',
      response: 'restore',
      message: 'a test is skipped',
      why: 'it proves nothing',
    } as const
    const restored = passed(guard.name, { reason: 'put back: sum.test.js', evidence: [finding] })
    expect(conclude(restored, passed('tests')).message).toBe('put back: sum.test.js; tests passed')
    expect(conclude(passed(guard.name), passed('tests')).message).toBe('tests passed')
  })

  it('when a required check was left out, then the end names it', () => {
    const waived = verdictOf('skipped', 'lint', { reason: 'waived by Ada', qualifiers: ['waived'] })
    expect(conclude(passed('tests'), waived).message).toBe('tests passed; left out: lint (waived by Ada)')
  })

  it('without any verdict it is unverified', () => {
    expect(conclude().outcome).toBe('unverified')
  })
})
