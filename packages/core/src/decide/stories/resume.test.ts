/** Decisions after a sleep in which the tree may have changed. */
import { describe, it } from 'vitest'
import {
  begun,
  checked,
  claimed,
  edited,
  erroredVerdict,
  failedVerdict,
  given,
  passedVerdict,
  pending,
  timePassed,
  type Step,
} from '../../testing/index.ts'
import {
  interruptRequested,
  modelCalled,
  modelFailed,
  runResumed,
  runStopped,
  turnEnded,
  verdictGiven,
  verificationStarted,
  workspaceObserved,
} from '../../testing/facts.ts'
import type { VerdictQualifier } from '../../events/verdicts/index.ts'

const slept: readonly Step[] = [
  interruptRequested(),
  runStopped('user_interrupt'),
  timePassed(3_600_000),
  runResumed(),
]

describe('given a run that slept during a verification', () => {
  const verifiers = ['a', 'b']
  const half = given(
    begun({ verifiers }, failedVerdict('a'), failedVerdict('b')),
    edited(1, 'tree-1'),
    verificationStarted('change', 'a', 'b'),
    verdictGiven(passedVerdict('a')),
    slept,
  )

  it('asks every verifier about the tree as it is now', () => {
    half.whenDecided().then({ kind: 'observe' })
    half
      .and(workspaceObserved('tree-1'))
      .whenDecided()
      .then({ kind: 'verify', verifiers: ['a', 'b'] })
  })
})

describe('given a run that waited for a person', () => {
  it.each(['every-turn', 'on-change', 'on-claim', 'on-change-or-claim'] as const)(
    'asks again after the resume, with verifyWhen %s',
    (verifyWhen) => {
      const verifiers = ['npm test', { name: 'human', reads: 'workspace' as const }]
      const resumed = given(
        begun({ verifiers, verifyWhen }, failedVerdict('npm test'), pending('human')),
        edited(1, 'tree-1'),
        checked('turn', passedVerdict('npm test'), pending('human')),
        runStopped('awaiting_approval', { outcome: 'blocked' }),
        timePassed(86_400_000),
        runResumed(),
        workspaceObserved('tree-1'),
      )
      resumed.whenDecided().then({ kind: 'verify', verifiers: ['npm test', 'human'] })
      resumed
        .and(checked('turn', passedVerdict('npm test'), passedVerdict('human')))
        .whenDecided()
        .then({ kind: 'stop', transition: { reason: 'task_complete' } })
    },
  )
})

describe('given a verdict from before the sleep', () => {
  it('does not end the run: the tree may have been broken since', () => {
    const begin = begun(
      { verifiers: ['npm test'], completeWhen: 'checks-and-claim', verifyWhen: 'on-change' },
      failedVerdict('npm test'),
    )
    given(
      begin,
      edited(1, 'tree-1'),
      checked('change', passedVerdict('npm test')),
      turnEnded(1),
      slept,
      claimed(2),
    )
      .whenDecided()
      .then(({ kind }) => {
        if (kind === 'stop') throw new Error('ended on a verdict from before the sleep')
      })
  })
})

describe('given a run that ended in an error or blocked', () => {
  it('takes a new turn after the resume', () => {
    given(
      begun(),
      modelCalled(1),
      modelFailed({ retryable: false }),
      turnEnded(1),
      runStopped('error', { outcome: 'error' }),
      runResumed(),
    )
      .whenDecided()
      .then({ kind: 'call-model', turn: 2, attempt: 1 })
    const stuck = erroredVerdict('npm test', { qualifiers: ['infrastructure'] })
    given(
      begun({ verifiers: ['npm test'] }, stuck),
      claimed(1),
      checked('claim', stuck),
      turnEnded(1),
      runStopped('blocked'),
      runResumed(),
    )
      .whenDecided()
      .then({ kind: 'call-model', turn: 2 })
  })
})

const tests = 'npm test'

function cannotRun(qualifier: VerdictQualifier) {
  return erroredVerdict(tests, { qualifiers: [qualifier], reason: 'npm was not found' })
}

/** Turns that change the tree and claim nothing. */
function busyTurns(count: number, qualifier: VerdictQualifier) {
  return Array.from({ length: count }, (_, index) => [
    edited(index + 1, `tree-${index + 1}`),
    checked('change', cannotRun(qualifier)),
    ...(index + 1 < count ? [turnEnded(index + 1)] : []),
  ])
}

describe.each(['infrastructure', 'unverifiable'] as const)('given a check that is %s', (qualifier) => {
  const start = begun({ verifiers: [tests] }, cannotRun(qualifier))

  it('when the agent never claims, then it is told for three turns and blocked on the fourth', () => {
    given(start, busyTurns(3, qualifier)).whenDecided().then({ kind: 'continue' })
    given(start, busyTurns(4, qualifier))
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'blocked', message: 'npm was not found' } })
  })

  it('when it claims a second time without a change, then it is blocked at once', () => {
    given(start, claimed(1), checked('claim', cannotRun(qualifier)), turnEnded(1), claimed(2))
      .and(checked('claim', cannotRun(qualifier)))
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'blocked' } })
  })

  it('when a cap is reached, then the cause is the end, not the cap', () => {
    given(
      begun({ verifiers: [tests], caps: { maxIterations: 1 } }, cannotRun(qualifier)),
      busyTurns(1, qualifier),
    )
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'blocked', message: 'npm was not found' } })
  })
})

describe('given another check that fails', () => {
  it('when a cap is reached, then the cap is the end: there was work to do', () => {
    given(
      begun({ verifiers: [tests, 'lint'], caps: { maxIterations: 1 } }, failedVerdict('lint')),
      edited(1, 'tree-1'),
      checked('change', cannotRun('infrastructure'), failedVerdict('lint')),
    )
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'hard_cap' } })
  })
})
