/** Time: what counts as work, and what is kept for the last check. */
import { describe, expect, it } from 'vitest'
import {
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  given,
  givenWith,
  timePassed,
  type Step,
} from '../../testing/index.ts'
import {
  modelCalled,
  modelFailed,
  modelProposed,
  modelReplied,
  runResumed,
  runStopped,
  toolCalled,
  toolReturned,
  turnEnded,
  verdictGiven,
  verificationStarted,
  approvalGiven,
  approvalRequested,
} from '../../testing/facts.ts'
import { lastCheckMs } from './amounts.ts'
import { deadlineOf } from './reserve.ts'

/** A run in which nothing takes time but what is said. */
const still = (choices: Parameters<typeof begun>[0], ...steps: readonly Step[]) =>
  givenWith({ stepMs: 0 }, begun(choices), ...steps)

const spent = (...steps: readonly Step[]) => {
  const { consumption } = still({ verifiers: ['npm test'] }, ...steps).state
  return [consumption.activeMs, consumption.workingMs]
}

describe('given time that passes', () => {
  it('counts as work in a model call, a tool and a check', () => {
    expect(spent(modelCalled(1), timePassed(7), modelProposed('a'))).toEqual([7, 7])
    expect(spent(modelCalled(1), timePassed(7), modelFailed())).toEqual([7, 7])
    expect(
      spent(modelCalled(1), modelProposed('a'), toolCalled('a'), timePassed(5), toolReturned('a')),
    ).toEqual([5, 5])
    expect(
      spent(
        claimed(1),
        verificationStarted('claim', 'npm test'),
        timePassed(9),
        verdictGiven(failedVerdict('npm test')),
      ),
    ).toEqual([9, 9])
  })

  it('counts as nothing while a person is asked or the provider is waited for, and as waiting between turns', () => {
    expect(
      spent(
        modelCalled(1),
        modelProposed('a'),
        approvalRequested('a'),
        timePassed(60_000),
        approvalGiven('a'),
      ),
    ).toEqual([0, 0])
    const wait = { type: 'wait-started', for: 'provider', untilMs: 0, reason: 'busy' } as const
    expect(
      spent(modelCalled(1), modelFailed(), wait, timePassed(500), { type: 'wait-ended' }, modelCalled(1, 2)),
    ).toEqual([0, 0])
    expect(spent(claimed(1), turnEnded(1), timePassed(3), modelCalled(2))).toEqual([3, 0])
  })

  it('counts as nothing in the sleep before a resume', () => {
    expect(spent(modelCalled(1), timePassed(1000), runResumed())).toEqual([0, 0])
    expect(
      spent(
        claimed(1),
        runStopped('user_interrupt'),
        timePassed(1000),
        runResumed(),
        timePassed(2),
        modelCalled(2),
      ),
    ).toEqual([2, 0])
  })
})

describe('given checks that took time', () => {
  const check = (ms: number, trigger: 'baseline' | 'change') => [
    verificationStarted(trigger, 'npm test'),
    timePassed(ms),
    verdictGiven(failedVerdict('npm test')),
  ]
  const run = (choices: Parameters<typeof begun>[0], ...steps: readonly Step[]) =>
    still({ verifiers: ['npm test'], ...choices }, ...steps)

  it('keeps the longest of all verifications for the last one', () => {
    const two = run({}, check(300, 'baseline'), edited(1, 'tree-1'), check(200, 'change'))
    expect(lastCheckMs(two.state)).toBe(300)
    expect(lastCheckMs(two.and(turnEnded(1), edited(2, 'tree-2'), check(400, 'change')).state)).toBe(400)
  })

  it('counts checks that ran at the same time once', () => {
    const both = still(
      { verifiers: ['a', 'b'] },
      verificationStarted('baseline', 'a', 'b'),
      timePassed(100),
      verdictGiven(failedVerdict('a', { durationMs: 100 })),
      timePassed(20),
      verdictGiven(failedVerdict('b', { durationMs: 120 })),
    )
    expect(lastCheckMs(both.state)).toBe(120)
  })

  it('keeps nothing before a check was asked, or where there will be no last one', () => {
    expect(lastCheckMs(run({}).state)).toBe(0)
    expect(lastCheckMs(run({ verifyAtCap: false }, check(300, 'baseline')).state)).toBe(0)
  })

  it('keeps nothing in runs that were recorded before that was so', () => {
    expect(lastCheckMs(run({ reservesLastCheck: false }, check(300, 'baseline')).state)).toBe(0)
  })

  it('begins a call only where the last check still fits', () => {
    const at = (maxWallClockMs: number) =>
      run({ caps: { maxWallClockMs } }, check(300, 'baseline')).afterNotes().whenDecided()
    at(601).then({ kind: 'call-model' })
    at(600).then({ kind: 'stop', transition: { reason: 'hard_cap' } })
  })

  it('says what the time is kept for', () => {
    run({ caps: { maxWallClockMs: 600 } }, check(300, 'baseline'))
      .afterNotes()
      .whenDecided()
      .then({
        kind: 'stop',
        transition: {
          message: '0.3 of 0.6 s (0.3 s are kept for the last check): no room for the next step',
        },
      })
  })

  it('does not begin tools either', () => {
    run(
      { caps: { maxWallClockMs: 700 } },
      check(300, 'baseline'),
      modelCalled(1),
      timePassed(100),
      modelProposed('a'),
    )
      .afterNotes()
      .whenDecided()
      .then({ kind: 'refuse-tools', callIds: ['a'] })
  })

  it('breaks an effect off when only the time of the last check is left', () => {
    const { state } = run({ caps: { maxWallClockMs: 1000 } }, check(300, 'baseline'))
    expect(deadlineOf(state)).toBe(state.nowMs + 1000 - 300 - 300)
  })

  it('makes that check at the cap, and may find the work done', () => {
    const cap = run(
      { caps: { maxWallClockMs: 1000 }, verifyWhen: 'on-claim' },
      check(300, 'baseline'),
      modelCalled(1),
      timePassed(400),
      modelReplied({ text: 'half', finish: 'length' }),
    ).afterNotes()
    cap.whenDecided().then({ kind: 'verify', trigger: 'cap' })
  })
})

describe('given no cap on time', () => {
  it('there is no deadline', () => {
    expect(deadlineOf(given(begun(), claimed(1), checked('claim')).state)).toBeNull()
  })
})
