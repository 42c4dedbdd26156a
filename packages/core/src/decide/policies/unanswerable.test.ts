import { describe, expect, it } from 'vitest'
import { begun, erroredVerdict, failedVerdict, given, passedVerdict } from '../../testing/index.ts'
import { runResumed, runStopped } from '../../testing/facts.ts'
import { exitCodeOfStop } from '../stops/index.ts'

const tests = 'npm test'
const missing = erroredVerdict(tests, {
  canRetry: false,
  qualifiers: ['infrastructure'],
  reason: 'npm was not found; install it',
})
const wrong = erroredVerdict('lint', {
  canRetry: false,
  qualifiers: ['unverifiable'],
  reason: 'no linter was found; name one',
})

describe('given a check that cannot be answered before the first turn', () => {
  it('when a program is missing, then no turn is paid for, and the end says the way out', () => {
    given(begun({ verifiers: [tests] }, missing))
      .whenDecided()
      .then({
        kind: 'stop',
        transition: { reason: 'blocked', outcome: 'blocked', message: 'npm was not found; install it' },
      })
  })

  it('when several cannot, then all are named, and one that was asked wrongly makes it a misuse', () => {
    given(begun({ verifiers: [tests, 'lint'] }, missing, wrong))
      .whenDecided()
      .then({
        kind: 'stop',
        transition: {
          reason: 'blocked',
          misuse: true,
          message: 'npm was not found; install it; no linter was found; name one',
        },
      })
  })

  it.each([
    ['failed', failedVerdict(tests, { canRetry: false })],
    ['undecided, and a turn may help', erroredVerdict(tests, { qualifiers: ['infrastructure'] })],
    ['green', passedVerdict(tests)],
  ])('when a check is %s, then the first turn begins', (_, verdict) => {
    given(begun({ verifiers: [tests] }, verdict))
      .whenDecided()
      .then({ kind: 'call-model', turn: 1 })
  })

  it('when it is not required, then the first turn begins', () => {
    given(begun({ verifiers: [tests, { name: 'lint', required: false }] }, failedVerdict(tests), wrong))
      .whenDecided()
      .then({ kind: 'call-model', turn: 1 })
  })

  it('when a host owns the loop, then its user decides what becomes of it', () => {
    given(begun({ verifiers: [tests] }, missing))
      .whenDecided({ hostOwnsLoop: true })
      .then({ kind: 'call-model', turn: 1 })
  })

  it('when it is resumed, then the tree and the checks are looked at anew', () => {
    const start = begun({ verifiers: [tests] }, missing)
    const awake = given(start, runStopped('blocked', { outcome: 'blocked' }), runResumed())
    awake.whenDecided().then({ kind: 'observe' })
    expect(awake.state.workspace.baseline).toBeUndefined()
  })
})

describe('given the exit code of an end', () => {
  it('is 2 for a misuse, and that of the outcome otherwise', () => {
    expect(exitCodeOfStop({ outcome: 'blocked', misuse: true })).toBe(2)
    expect(exitCodeOfStop({ outcome: 'blocked' })).toBe(5)
  })
})
