/** The table of section 4.4: what was before, what has changed, who claims, what the user wants. */
import { describe, expect, it } from 'vitest'
import type { RunState } from '../../state/index.ts'
import type { CompleteWhen } from '../../base/index.ts'
import {
  begun,
  checked,
  claimed,
  edited,
  erroredVerdict,
  failedVerdict,
  given,
  passedVerdict,
  runStarted,
  skippedVerdict,
} from '../../testing/index.ts'
import { turnEnded, runResumed, runStopped } from '../../testing/facts.ts'
import { currentVerdict, hasChangedWorkspace, isComplete, hasTurnedGreen } from './completion.ts'
import { deterministicVeto } from './aggregate.ts'

const tests = 'npm test'
const baselines = { red: failedVerdict(tests), green: passedVerdict(tests), broken: erroredVerdict(tests) }
const green = { status: 'passed', because: [tests] } as const

function state(
  before: keyof typeof baselines,
  changed: boolean,
  claims: boolean,
  completeWhen: CompleteWhen,
): RunState {
  const turn = edited(1, changed ? 'tree-1' : 'tree-0')
  const begin = given(begun({ verifiers: [tests], completeWhen }, baselines[before]), turn)
  return (
    claims
      ? begin.and(turnEnded(1), claimed(2), checked('claim', passedVerdict(tests)))
      : begin.and(checked('change', passedVerdict(tests)))
  ).state
}

/** before, changed, claims, completeWhen → complete, complete at a cap */
const rows: readonly (readonly [keyof typeof baselines, boolean, boolean, CompleteWhen, boolean, boolean])[] =
  [
    ['red', true, false, 'checks', true, true],
    ['red', true, true, 'checks', true, true],
    ['red', false, false, 'checks', true, true],
    ['red', false, true, 'checks', true, true],
    ['red', true, false, 'checks-and-claim', false, true],
    ['red', true, true, 'checks-and-claim', true, true],
    ['broken', true, false, 'checks', false, false],
    ['broken', true, true, 'checks', true, true],
    ['broken', false, true, 'checks', false, false],
    ['broken', true, true, 'checks-and-claim', true, true],
    ['green', true, false, 'checks', false, false],
    ['green', true, true, 'checks', true, true],
    ['green', false, true, 'checks', false, false],
    ['green', false, false, 'checks', false, false],
    ['green', true, false, 'checks-and-claim', false, false],
    ['green', true, true, 'checks-and-claim', true, true],
    ['green', false, true, 'checks-and-claim', false, false],
  ]

describe('given checks that pass now', () => {
  it.each(rows)(
    'before %s, changed %s, claimed %s, %s: complete %s, at a cap %s',
    (before, changed, claims, when, complete, atCap) => {
      const after = state(before, changed, claims, when)
      expect(isComplete(after, green, false)).toBe(complete)
      expect(isComplete(after, green, true)).toBe(atCap)
    },
  )
})

describe('given a verdict that is not passed', () => {
  it.each(['failed', 'error', 'skipped', 'pending'] as const)('is never complete: %s', (status) => {
    expect(isComplete(state('red', true, true, 'checks'), { status, because: [] }, true)).toBe(false)
  })

  it('is never complete without one', () => {
    expect(isComplete(state('red', true, true, 'checks'), undefined, true)).toBe(false)
  })
})

describe('given the latest verdicts', () => {
  const turn = given(begun({ verifiers: [tests] }, failedVerdict(tests)), edited(1, 'tree-1'))

  it('does not let them speak of work that came after them', () => {
    expect(currentVerdict(turn.state, deterministicVeto)).toBeUndefined()
    const passedOnce = turn.and(checked('change', passedVerdict(tests)))
    expect(currentVerdict(passedOnce.state, deterministicVeto)?.status).toBe('passed')
    expect(
      currentVerdict(passedOnce.and(turnEnded(1), edited(2, 'tree-2')).state, deterministicVeto),
    ).toBeUndefined()
  })

  it('does not let them speak of a new answer, although the tree is the same', () => {
    const verifiers = [{ name: tests, reads: 'answer' as const }]
    const again = given(
      begun({ verifiers }),
      edited(1, 'tree-1'),
      checked('turn', passedVerdict(tests)),
      turnEnded(1),
      claimed(2),
    )
    expect(currentVerdict(again.state, deterministicVeto)).toBeUndefined()
  })

  it('is skipped without verifiers: nothing is proven', () => {
    expect(currentVerdict(given(begun(), claimed(1)).state, deterministicVeto)).toEqual({
      status: 'skipped',
      because: [],
    })
  })
})

describe('given what has turned green', () => {
  it('takes a check for news that is green now and was not before', () => {
    const verifiers = ['a', 'b']
    const after = (...latest: Parameters<typeof checked>[1][]) =>
      given(
        begun({ verifiers }, passedVerdict('a'), failedVerdict('b')),
        edited(1, 'tree-1'),
        checked('change', ...latest),
      ).state
    expect(hasTurnedGreen(after(passedVerdict('a'), passedVerdict('b')))).toBe(true)
    expect(hasTurnedGreen(after(passedVerdict('a'), failedVerdict('b')))).toBe(false)
    expect(hasTurnedGreen(after(passedVerdict('a'), skippedVerdict('b')))).toBe(false)
  })

  it('takes no news from a check that is not required', () => {
    const verifiers = [{ name: 'a', required: false }]
    expect(
      hasTurnedGreen(
        given(
          begun({ verifiers }, failedVerdict('a')),
          edited(1, 'tree-1'),
          checked('change', passedVerdict('a')),
        ).state,
      ),
    ).toBe(false)
  })
})

describe('given the work folder', () => {
  it('counts as changed without a folder where any tool was called', () => {
    const begin = given(runStarted({ workFolder: null }))
    expect(hasChangedWorkspace(begin.and(claimed(1)).state)).toBe(false)
    expect(hasChangedWorkspace(begin.and(edited(1, 'tree-0').slice(0, 4)).state)).toBe(true)
  })
})

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
