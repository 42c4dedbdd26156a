/** Checks, claims, and the sleep between a stop and its resume. */
import { describe, expect, it } from 'vitest'
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
  timePassed,
} from '../../testing/index.ts'
import {
  interruptRequested,
  modelCalled,
  runResumed,
  runStopped,
  turnEnded,
  verdictGiven,
  verificationStarted,
  workspaceObserved,
} from '../../testing/facts.ts'

const tests = 'npm test'

describe('given the checks on the baseline tree', () => {
  it('remembers the baseline and begins', () => {
    given(begun({ verifiers: [tests] }, failedVerdict(tests))).thenState((state) => {
      expect(state.workspace).toEqual({
        baseline: 'tree-0',
        current: 'tree-0',
        verified: 'tree-0',
        touched: false,
      })
      expect(state.checks[tests]).toMatchObject({ baseline: 'failed', failureStreak: 0, errorStreak: 0 })
      expect(state.phase).toEqual({ kind: 'starting', baselineDone: true })
    })
  })

  it('waits for each verifier', () => {
    const verifiers = ['a', 'b']
    given(
      begun({ verifiers }),
      verificationStarted('baseline', 'a', 'b'),
      verdictGiven(passedVerdict('b')),
    ).thenState(({ phase }) =>
      expect(phase).toEqual({ kind: 'verifying', trigger: 'baseline', awaiting: ['a'] }),
    )
  })
})

describe('given checks after a turn', () => {
  const turn = given(begun({ verifiers: [tests] }, failedVerdict(tests)), edited(1, 'tree-1'))

  it('has unverified work until all have spoken', () => {
    turn.thenState(({ unverifiedWork }) => expect(unverifiedWork).toBe(true))
    turn.and(checked('change', passedVerdict(tests))).thenState((state) => {
      expect(state.unverifiedWork).toBe(false)
      expect(state.workspace).toEqual({
        baseline: 'tree-0',
        current: 'tree-1',
        verified: 'tree-1',
        touched: true,
      })
      expect(state.phase).toEqual({ kind: 'judging', observed: true, verifiedBy: 'change' })
    })
  })

  it('keeps the baseline and counts failures in a row, errors among them', () => {
    const states = [
      failedVerdict(tests),
      erroredVerdict(tests),
      erroredVerdict(tests),
      failedVerdict(tests),
      passedVerdict(tests),
      failedVerdict(tests),
    ].map(
      (_, index, all) =>
        turn.and(all.slice(0, index + 1).map((verdict) => checked('turn', verdict))).state.checks[tests],
    )
    expect(states.map((check) => check?.failureStreak)).toEqual([1, 2, 3, 4, 0, 1])
    expect(states.map((check) => check?.errorStreak)).toEqual([0, 1, 2, 0, 0, 0])
    expect(states.every((check) => check?.baseline === 'failed')).toBe(true)
  })

  it('ends a streak with a verdict that is neither', () => {
    turn
      .and(checked('turn', failedVerdict(tests)), checked('turn', skippedVerdict(tests)))
      .thenState(({ checks }) => {
        expect(checks[tests]?.failureStreak).toBe(0)
      })
  })

  it('takes no verdict while no verification is under way', () => {
    turn.and(verdictGiven(passedVerdict(tests))).thenState(({ checks, unverifiedWork }) => {
      expect(checks[tests]?.latest?.status).toBe('failed')
      expect(unverifiedWork).toBe(true)
    })
  })

  it('has unverified work again after the next reply', () => {
    turn
      .and(checked('change', passedVerdict(tests)), turnEnded(1), claimed(2))
      .thenState(({ unverifiedWork }) => expect(unverifiedWork).toBe(true))
  })
})

describe('given claims', () => {
  const once = given(begun(), claimed(1), turnEnded(1))

  it('counts those in a row without a change between them', () => {
    once.and(claimed(2), turnEnded(2)).thenState(({ unchangedClaims }) => expect(unchangedClaims).toBe(2))
  })

  it('forgets them when the tree changes, but not when it is only looked at', () => {
    once
      .and(modelCalled(2), workspaceObserved('tree-1'))
      .thenState(({ unchangedClaims }) => expect(unchangedClaims).toBe(0))
    once
      .and(modelCalled(2), workspaceObserved('tree-0'))
      .thenState(({ unchangedClaims }) => expect(unchangedClaims).toBe(1))
  })

  it('forgets them after a turn without a claim', () => {
    once
      .and(edited(2, 'tree-0'), turnEnded(2))
      .thenState(({ unchangedClaims }) => expect(unchangedClaims).toBe(0))
  })
})

describe('given a run that sleeps and is resumed', () => {
  const stopped = given(
    begun({ verifiers: [tests] }, failedVerdict(tests)),
    edited(1, 'tree-1'),
    interruptRequested('SIGINT'),
    runStopped('user_interrupt', { outcome: 'interrupted' }),
  )
  const resumed = stopped.and(timePassed(3_600_000), runResumed())

  it('stands still while it sleeps', () => {
    stopped.thenState(({ phase, interruptedBy }) => {
      expect(phase).toMatchObject({ kind: 'stopped', before: { kind: 'judging' } })
      expect(interruptedBy).toBe('SIGINT')
    })
  })

  it('keeps every counter (I9)', () => {
    const { activeMs: before, ...counts } = stopped.state.consumption
    expect(resumed.state.consumption).toEqual({ activeMs: before, ...counts })
    expect(resumed.state).toMatchObject({ turn: 1, turnOpen: true, replies: 1, refusedTurns: 0 })
  })

  it('does not count sleep as active time', () => {
    expect(resumed.state.consumption.activeMs).toBe(stopped.state.consumption.activeMs)
    expect(resumed.and(timePassed(90), turnEnded(1)).state.consumption.activeMs).toBe(
      stopped.state.consumption.activeMs + 100,
    )
  })

  it('forgets the interrupt and goes on where it was', () => {
    expect(resumed.state.interruptedBy).toBeUndefined()
    expect(resumed.state.phase.kind).toBe('judging')
  })

  it('looks at the tree again, which may have changed meanwhile', () => {
    const judged = given(
      begun({ verifiers: [tests] }, failedVerdict(tests)),
      edited(1, 'tree-1'),
      checked('change', failedVerdict(tests)),
      interruptRequested(),
      runStopped('user_interrupt'),
      runResumed(),
    )
    expect(judged.state.phase).toEqual({ kind: 'judging', observed: false, verifiedBy: undefined })
  })

  it('takes all work for unverified again, once there was any', () => {
    const verified = given(
      begun({ verifiers: [tests] }, failedVerdict(tests)),
      edited(1, 'tree-1'),
      checked('change', passedVerdict(tests)),
    )
    verified.and(runStopped('user_interrupt'), runResumed()).thenState(({ unverifiedWork, workspace }) => {
      expect(unverifiedWork).toBe(true)
      expect(workspace).toMatchObject({ current: 'tree-1', verified: undefined, touched: true })
    })
    given(begun(), runStopped('user_interrupt'), runResumed()).thenState(({ unverifiedWork }) => {
      expect(unverifiedWork).toBe(false)
    })
  })

  it('does not believe a verdict of a verification that it slept through', () => {
    const verifiers = ['a', 'b']
    const half = given(
      begun({ verifiers }, failedVerdict('a'), failedVerdict('b')),
      edited(1, 'tree-1'),
      verificationStarted('change', 'a', 'b'),
      verdictGiven(passedVerdict('a')),
      interruptRequested(),
      runStopped('user_interrupt'),
      runResumed(),
    )
    expect(half.state.phase).toEqual({ kind: 'judging', observed: false, verifiedBy: undefined })
  })

  it('wakes to what it was doing, however often it was stopped', () => {
    const twice = resumed.and(
      interruptRequested(),
      runStopped('user_interrupt'),
      runStopped('error'),
      runResumed(),
    )
    expect(twice.state.phase.kind).toBe('judging')
  })

  it('sleeps between turns too', () => {
    const idle = given(
      begun(),
      claimed(1),
      turnEnded(1),
      interruptRequested(),
      runStopped('user_interrupt'),
      runResumed(),
    )
    expect(idle.state.phase).toEqual({ kind: 'idle' })
  })
})
