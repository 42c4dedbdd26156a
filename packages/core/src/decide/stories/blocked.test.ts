/** A check that cannot run: told, asked again, then the run is blocked, whatever the drive does meanwhile. */
import { describe, it } from 'vitest'
import type { VerdictQualifier } from '../../events/verdicts/index.ts'
import {
  begun,
  checked,
  claimed,
  edited,
  erroredVerdict,
  given,
  passedVerdict,
  failedVerdict,
} from '../../testing/index.ts'
import { turnEnded } from '../../testing/facts.ts'

const tests = 'npm test'

function cannotRun(qualifier: VerdictQualifier) {
  return erroredVerdict(tests, { qualifiers: [qualifier], reason: 'npm was not found' })
}

/** So many turns that change the tree and claim nothing. */
function busyTurns(count: number, qualifier: VerdictQualifier) {
  return Array.from({ length: count }, (_, index) => [
    edited(index + 1, `tree-${index + 1}`),
    checked('change', cannotRun(qualifier)),
    ...(index + 1 < count ? [turnEnded(index + 1)] : []),
  ])
}

describe.each(['infrastructure', 'unverifiable'] as const)('given a check that is %s', (qualifier) => {
  const start = begun({ verifiers: [tests] }, cannotRun(qualifier))

  it('when the drive never claims, then it is told for three turns and blocked on the fourth', () => {
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

  it('when it passes, then what cannot run still blocks at a cap', () => {
    given(
      begun({ verifiers: [tests, 'lint'], caps: { maxIterations: 1 } }, failedVerdict('lint')),
      edited(1, 'tree-1'),
      checked('change', cannotRun('infrastructure'), passedVerdict('lint')),
    )
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'blocked' } })
  })
})
