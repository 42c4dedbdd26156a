/** Ends that a turn itself offers: errors, unfixable checks, blockers, waits. */
import { describe, it } from 'vitest'
import type { Verdict } from '../../events/verdicts/index.ts'
import {
  begun,
  checked,
  claimed,
  edited,
  erroredVerdict,
  failedVerdict,
  given,
  passedVerdict,
  skippedVerdict,
  type Given,
} from '../../testing/index.ts'
import { modelCalled, modelFailed, turnEnded } from '../../testing/facts.ts'

const tests = 'npm test'

describe('given a call that failed', () => {
  it('ends as an error where it cannot pass, without any check', () => {
    given(
      begun({ verifiers: [tests] }, failedVerdict(tests)),
      modelCalled(1),
      modelFailed({ kind: 'configuration', message: 'no key', retryable: false }),
    )
      .whenDecided()
      .then({
        kind: 'stop',
        transition: { reason: 'error', outcome: 'error', message: 'no key', lastCheck: undefined },
      })
  })
})

describe('given a check that no further turn can mend', () => {
  const verifiers = [tests, 'protected files']
  const after = (...verdicts: readonly Verdict[]) =>
    given(
      begun({ verifiers }, failedVerdict(tests), passedVerdict('protected files')),
      edited(1, 'tree-1'),
      checked('change', ...verdicts),
    ).whenDecided()

  it('ends as failed', () => {
    after(
      failedVerdict(tests, { canRetry: false, reason: 'the branch is gone' }),
      passedVerdict('protected files'),
    ).then({
      kind: 'stop',
      transition: {
        reason: 'verifier_failed_unrecoverable',
        outcome: 'failed',
        message: 'the branch is gone',
      },
    })
  })

  it('is blocked by an error that no turn lets decide', () => {
    after(erroredVerdict(tests, { canRetry: false }), passedVerdict('protected files')).then({
      kind: 'stop',
      transition: { reason: 'blocked', outcome: 'blocked' },
    })
  })

  it('ranks tampering before success, whatever the aggregator says', () => {
    const tampered = failedVerdict('protected files', {
      canRetry: false,
      qualifiers: ['tampered'],
      reason: 'a test was deleted',
    })
    const run = given(
      begun({ verifiers }, failedVerdict(tests), passedVerdict('protected files')),
      edited(1, 'tree-1'),
      checked('change', passedVerdict(tests), tampered),
    )
    const aggregator = () => ({ status: 'passed', because: [tests] }) as const
    run.whenDecided({ aggregate: aggregator }).then({
      kind: 'stop',
      transition: {
        reason: 'verifier_failed_unrecoverable',
        outcome: 'failed',
        message: 'a test was deleted',
      },
    })
  })

  it('finds tampering behind another failure that the aggregator outvotes', () => {
    const three = [tests, 'lint', 'protected files']
    const lost = failedVerdict('lint', { canRetry: false })
    const tampered = failedVerdict('protected files', { canRetry: false, qualifiers: ['tampered'] })
    const run = given(
      begun(
        { verifiers: three },
        failedVerdict(tests),
        passedVerdict('lint'),
        passedVerdict('protected files'),
      ),
      edited(1, 'tree-1'),
      checked('change', passedVerdict(tests), lost, tampered),
    )
    const aggregator = () => ({ status: 'passed', because: [tests] }) as const
    run.whenDecided({ aggregate: aggregator }).then({
      kind: 'stop',
      transition: { reason: 'verifier_failed_unrecoverable', message: 'protected files failed' },
    })
  })

  it('ranks success before any other failure that the aggregator outvotes', () => {
    const run = given(
      begun({ verifiers }, failedVerdict(tests), failedVerdict('protected files')),
      edited(1, 'tree-1'),
      checked('change', passedVerdict(tests), failedVerdict('protected files', { canRetry: false })),
    )
    const aggregator = () => ({ status: 'passed', because: [tests] }) as const
    run.whenDecided({ aggregate: aggregator }).then({ kind: 'stop', transition: { reason: 'task_complete' } })
  })
})

describe('given a check that cannot decide', () => {
  const claims = (count: number, verdict: Verdict): Given =>
    given(
      begun({ verifiers: [tests] }, erroredVerdict(tests)),
      Array.from({ length: count }, (_, index) => [
        ...(index === 0 ? [] : [turnEnded(index)]),
        claimed(index + 1),
        checked('claim', verdict),
      ]),
    )

  it('blocks the run at the third claim', () => {
    claims(2, erroredVerdict(tests))
      .whenDecided()
      .then({ kind: 'continue', transition: { reason: 'verifier_feedback' } })
    claims(3, erroredVerdict(tests, { reason: 'timed out after 60 s' }))
      .whenDecided()
      .then({
        kind: 'stop',
        transition: { reason: 'blocked', outcome: 'blocked', message: 'timed out after 60 s' },
      })
  })

  it('never blocks a check that decides, and never an agent that still works', () => {
    claims(9, failedVerdict(tests)).whenDecided().then({ kind: 'continue' })
    const working = [1, 2, 3, 4].map((turn) => [
      edited(turn, `tree-${turn}`),
      checked('change', erroredVerdict(tests)),
      turnEnded(turn),
    ])
    given(
      begun({ verifiers: [tests] }, failedVerdict(tests)),
      working,
      edited(5, 'tree-5'),
      checked('change', erroredVerdict(tests)),
    )
      .whenDecided()
      .then({ kind: 'continue' })
  })

  it('is never a success, whatever else passed (I6)', () => {
    given(
      begun({ verifiers: [tests, 'lint'] }, failedVerdict(tests), failedVerdict('lint')),
      edited(1, 'tree-1'),
      checked('change', passedVerdict(tests), erroredVerdict('lint')),
    )
      .whenDecided()
      .then({ kind: 'continue' })
  })
})

describe('given checks that do not apply', () => {
  it('ends on the claim, unverified', () => {
    given(
      begun({ verifiers: [tests] }, skippedVerdict(tests)),
      claimed(1),
      checked('claim', skippedVerdict(tests)),
    )
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'model_ended', outcome: 'unverified' } })
  })
})
