import { describe, expect, it } from 'vitest'
import { exitCodeOf, exitCodeOfStop } from '../stops/index.ts'
import { deterministicVeto, allRequired, quorum, weightedScore } from './aggregate.ts'
import {
  checked,
  failedVerdict,
  given,
  passedVerdict,
  runStarted,
  verdictOf,
  begun,
  claimed,
  edited,
  pending,
  skippedVerdict,
  type RunChoices,
} from '../../testing/index.ts'
import { goalSet, turnEnded } from '../../testing/facts.ts'
import { concludeVerification } from './conclude-verification.ts'

const guard = { name: 'tamper guard', role: 'guard' } as const

function conclude(...verdicts: Parameters<typeof checked>[1][]) {
  const names = verdicts.map(({ verifier }) => (verifier === guard.name ? guard : verifier))
  const { state } = given(runStarted({ verifiers: names }), goalSet(), checked('turn', ...verdicts))
  return concludeVerification(state, deterministicVeto)
}

describe('given verdicts and no agent', () => {
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
})

const tests = 'npm test'
const lightGuard = { name: 'tamper guard', role: 'guard', weight: 0 } as const
const secret = { name: 'held out', role: 'held-out' } as const
const guarded = { verifiers: [lightGuard, tests] }

describe('given a guard', () => {
  const red = begun(guarded, passedVerdict(lightGuard.name), failedVerdict(tests))

  it.each(['failed', 'error', 'skipped'] as const)(
    'when it is %s, then green checks verify nothing, whatever the aggregator',
    (status) => {
      const facts = [
        red,
        edited(1, 'tree-1'),
        checked('change', verdictOf(status, lightGuard.name), passedVerdict(tests)),
      ]
      for (const aggregator of [allRequired, quorum({ atLeast: 1 }), weightedScore({ threshold: 0.1 })])
        given(facts).whenDecided({ aggregate: aggregator }).then({ kind: 'continue' })
    },
  )

  it('when it asks a person, then the run waits', () => {
    given(red, edited(1, 'tree-1'), checked('change', pending(lightGuard.name), skippedVerdict(tests)))
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'awaiting_approval' } })
  })

  it('when it finds tampering that was told already, then the run has failed, before any success', () => {
    const tampered = failedVerdict(lightGuard.name, { canRetry: false, qualifiers: ['tampered'] })
    given(red, edited(1, 'tree-1'), checked('change', tampered, passedVerdict(tests)))
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'verifier_failed_unrecoverable', outcome: 'failed' } })
  })

  it('when it passes, then it is no news by itself: an unchanged green check still proves nothing', () => {
    const green = begun(guarded, failedVerdict(lightGuard.name), passedVerdict(tests))
    given(green, edited(1, 'tree-1'), checked('change', passedVerdict(lightGuard.name), passedVerdict(tests)))
      .whenDecided()
      .then({ kind: 'continue' })
  })
})

describe('given changes of the checks that somebody has allowed', () => {
  it('when they pass, then the end says who', () => {
    const allowed = {
      kind: 'authority',
      paths: ['sum.test.js'],
      by: 'ann',
      reason: 'agreed',
    } as const
    const named = passedVerdict(lightGuard.name, {
      reason: 'allowed by ann: sum.test.js',
      evidence: [allowed],
    })
    given(
      begun(guarded, passedVerdict(lightGuard.name), failedVerdict(tests)),
      edited(1, 'tree-1'),
      checked('change', named, passedVerdict(tests)),
    )
      .whenDecided()
      .then({
        kind: 'stop',
        transition: { reason: 'task_complete', message: 'allowed by ann: sum.test.js; npm test passed' },
      })
  })
})

describe('given a required check that was left out', () => {
  it('when the others pass, then the end names it', () => {
    const waived = skippedVerdict('lint', { reason: 'waived by Ada', qualifiers: ['waived'] })
    given(
      begun({ verifiers: [tests, 'lint'] }, failedVerdict(tests), failedVerdict('lint')),
      edited(1, 'tree-1'),
      checked('change', passedVerdict(tests), waived),
    )
      .whenDecided()
      .then({
        kind: 'stop',
        transition: {
          reason: 'task_complete',
          message: 'npm test passed; left out: lint (waived by Ada)',
        },
      })
  })
})

describe('given a check that fails only since the protected files are as they were', () => {
  it('when the agent has been told and claims again without a change, then it is blocked', () => {
    const only = failedVerdict(tests, { qualifiers: ['tampered'], reason: 'npm test failed as it was' })
    given(
      begun(guarded, passedVerdict(lightGuard.name), failedVerdict(tests)),
      edited(1, 'tree-1'),
      checked('change', passedVerdict(lightGuard.name), only),
      turnEnded(1),
      claimed(2),
      checked('claim', passedVerdict(lightGuard.name), only),
      turnEnded(2),
      claimed(3),
      checked('claim', passedVerdict(lightGuard.name), only),
    )
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'blocked', message: 'npm test failed as it was' } })
  })
})

describe('given held-out checks', () => {
  const red = begun({ verifiers: [tests, secret] }, failedVerdict(tests))
  const shownGreen = given(red, edited(1, 'tree-1'), checked('change', passedVerdict(tests)))

  it('when the shown ones are red, then they are not asked', () => {
    given(red, edited(1, 'tree-1'))
      .whenDecided()
      .then({ kind: 'verify', trigger: 'change', verifiers: [tests] })
    given(red, edited(1, 'tree-1'), checked('change', failedVerdict(tests)))
      .whenDecided()
      .then({ kind: 'continue' })
  })

  it('when one fails, then the agent learns a number and nothing else', () => {
    const known = failedVerdict(secret.name, { reason: 'sum(2, 2) must be 4' })
    const decision = shownGreen.and(checked('held-out', known)).whenDecided().decision
    expect(decision).toMatchObject({ kind: 'continue' })
    const feedback = decision.kind === 'continue' ? decision.feedback : ''
    expect(feedback).toContain('1 of 1 unseen check')
    expect(feedback).not.toContain(secret.name)
    expect(feedback).not.toContain('sum(2, 2)')
  })

  it('when a guard is there, then it looks again with them', () => {
    given(
      begun({ verifiers: [lightGuard, tests, secret] }, passedVerdict(lightGuard.name), failedVerdict(tests)),
      edited(1, 'tree-1'),
      checked('change', passedVerdict(lightGuard.name), passedVerdict(tests)),
    )
      .whenDecided()
      .then({ kind: 'verify', trigger: 'held-out', verifiers: [lightGuard.name, secret.name] })
  })

  it('when they could not decide, then the work is not done', () => {
    shownGreen
      .and(checked('held-out', verdictOf('error', secret.name)))
      .whenDecided()
      .then({ kind: 'continue' })
  })
})

describe('given held-out checks and no other that decides', () => {
  const isUntouched = passedVerdict(lightGuard.name)
  const asked = { kind: 'verify', trigger: 'held-out', verifiers: [lightGuard.name, secret.name] } as const
  const done = (choices: RunChoices = {}) =>
    given(
      begun({ verifiers: [lightGuard, secret], ...choices }, isUntouched),
      edited(1, 'tree-1'),
      claimed(1),
      checked('claim', isUntouched),
    )

  it('when the agent claims to be done, then they are asked, and verify the work', () => {
    done().whenDecided().then(asked)
    done()
      .and(checked('held-out', isUntouched, passedVerdict(secret.name)))
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'task_complete', outcome: 'verified' } })
  })

  it('when a cap ends the run, then they are asked before', () => {
    done({ caps: { maxIterations: 1 } })
      .whenDecided()
      .then(asked)
  })
})
