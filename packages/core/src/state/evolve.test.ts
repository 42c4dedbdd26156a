/** Turns, calls and consumption. Checks, claims and sleep have their own files. */
import { describe, expect, it } from 'vitest'
import {
  begun,
  claimed,
  edited,
  given,
  runStarted,
  stamp,
  checked,
  failedVerdict,
  passedVerdict,
  timePassed,
} from '../testing/index.ts'
import {
  goalSet,
  modelCalled,
  modelFailed,
  modelProposed,
  modelReplied,
  tokens,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
  interruptRequested,
  runResumed,
  runStopped,
  verdictGiven,
  verificationStarted,
  workspaceObserved,
} from '../testing/facts.ts'
import { evolve, fold } from './evolve.ts'

describe('given a run that begins', () => {
  it('takes the task, and estimates what it costs in the prompt', () => {
    const before = given(runStarted()).state
    const after = given(runStarted(), goalSet('a'.repeat(35))).state
    expect(after.task).toBe('a'.repeat(35))
    expect(after.promptTokens - before.promptTokens).toBe(10)
  })

  it('is nothing before its first fact, and cannot begin with another one', () => {
    expect(fold([])).toBeUndefined()
    const [, second] = stamp([runStarted(), goalSet()])
    if (second === undefined) throw new Error('two events were stamped')
    expect(() => evolve(undefined, second)).toThrow('a run begins with run-started, not goal-set')
  })
})

describe('given calls of the model', () => {
  it('does not take a reply that was cut off for a claim', () => {
    given(begun(), modelCalled(1), modelReplied({ text: 'And so', finish: 'length' })).thenState((state) => {
      expect(state.tally.claimed).toBe(false)
      expect(state.lastReplyFinish).toBe('length')
      expect(state.phase.kind).toBe('judging')
    })
  })

  it('adds usage and cost, and estimates the next prompt from the last real one', () => {
    const { state } = given(
      begun(),
      modelCalled(1),
      modelReplied({ usage: tokens(3000, 500), costUsd: 0.25 }),
      turnEnded(1),
      modelCalled(2),
      modelReplied({ usage: tokens(4000, 100), costUsd: 0.5 }),
    )
    expect(state.consumption).toMatchObject({ inputTokens: 7000, outputTokens: 600, costUsd: 0.75 })
    expect(state.promptTokens).toBe(4100)
  })

  it('estimates the next prompt from texts where usage is unknown', () => {
    const before = given(begun(), modelCalled(1)).state.promptTokens
    const { state } = given(
      begun(),
      modelCalled(1),
      modelReplied({ text: 'a'.repeat(70), usage: null, costUsd: null }),
    )
    expect(state.promptTokens - before).toBe(20)
    expect(state.consumption).toMatchObject({ callsWithoutUsage: 1, costUsd: null })
  })
})

describe('given calls that fail', () => {
  it('does not count a call that we broke off ourselves as a failure of the provider', () => {
    given(begun(), modelCalled(1), modelFailed({ kind: 'interrupted' })).thenState(
      ({ phase, consumption }) => {
        expect(phase).toMatchObject({ kind: 'retrying', attempt: 0 })
        expect(consumption.modelCalls).toBe(1)
      },
    )
  })

  it('books what a failed call has used, and nothing where it used nothing', () => {
    const usage = tokens(1000, 100)
    const failed = given(begun(), modelCalled(1), modelFailed({ kind: 'cut-off' }, { usage, costUsd: 0.5 }))
    failed.thenState(({ consumption }) =>
      expect(consumption).toMatchObject({ inputTokens: 1000, outputTokens: 100, costUsd: 0.5 }),
    )
    failed
      .and(modelCalled(1, 2), modelFailed())
      .thenState(({ consumption }) =>
        expect(consumption).toMatchObject({ inputTokens: 1000, costUsd: 0.5, callsWithoutUsage: 0 }),
      )
  })
})

describe('given tools', () => {
  const proposed = given(begun(), modelCalled(1), modelProposed('a', 'b'))

  it('counts a veto of the gate or of a person only', () => {
    for (const by of ['cap', 'schema', 'record'] as const)
      proposed.and(toolRefused('a', by)).thenState(({ tally }) => expect(tally.refused).toBe(0))
    for (const by of ['gate', 'approver'] as const)
      proposed.and(toolRefused('a', by)).thenState(({ tally }) => expect(tally.refused).toBe(1))
  })

  it('counts turns in a row in which every call was vetoed, and forgets them after another turn', () => {
    const vetoed = (turn: number) => [
      modelCalled(turn),
      modelProposed('x'),
      toolRefused('x'),
      turnEnded(turn),
    ]
    const twice = given(begun(), vetoed(1), vetoed(2))
    twice.thenState(({ refusedTurns }) => expect(refusedTurns).toBe(2))
    const half = [
      modelCalled(3),
      modelProposed('a', 'b'),
      toolRefused('a'),
      toolCalled('b'),
      toolReturned('b'),
      turnEnded(3),
    ]
    twice.and(half).thenState(({ refusedTurns }) => expect(refusedTurns).toBe(0))
  })
})
describe('given the end of a turn', () => {
  it('rests between turns, then counts anew', () => {
    const ended = given(begun(), edited(1, 'tree-1'), turnEnded(1, 'go on'))
    ended.thenState(({ phase, turnOpen }) => expect([phase.kind, turnOpen]).toEqual(['idle', false]))
    ended.and(modelCalled(2)).thenState(({ tally, turn, turnOpen, consumption }) => {
      expect(tally).toEqual({ replies: 0, called: 0, refused: 0, mayHaveChanged: false, claimed: false })
      expect([turn, turnOpen, consumption.iterations]).toEqual([2, true, 2])
    })
  })
})

const tests = 'npm test'

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

  it('takes no verdict while no verification is under way', () => {
    turn.and(verdictGiven(passedVerdict(tests))).thenState(({ checks, unverifiedWork }) => {
      expect(checks[tests]?.latest?.status).toBe('failed')
      expect(unverifiedWork).toBe(true)
    })
  })
})

describe('given claims', () => {
  const once = given(begun(), claimed(1), turnEnded(1))

  it('forgets them when the tree changes, but not when it is only looked at', () => {
    once
      .and(modelCalled(2), workspaceObserved('tree-1'))
      .thenState(({ unchangedClaims }) => expect(unchangedClaims).toBe(0))
    once
      .and(modelCalled(2), workspaceObserved('tree-0'))
      .thenState(({ unchangedClaims }) => expect(unchangedClaims).toBe(1))
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
})
