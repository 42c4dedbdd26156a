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
  toolRefused,
  turnEnded,
  interruptRequested,
  runResumed,
  runStopped,
  verdictGiven,
  verificationStarted,
  workspaceObserved,
} from '../testing/facts.ts'
import { evolve, fold } from './evolve.ts'
import fc from 'fast-check'
import { totalTokens } from './spending.ts'
import type { Fact, RunEvent } from '../events/index.ts'
import { laterFact } from '../testing/generated/generated-events.test.ts'
import { verifierNames } from '../testing/generated/generated-parts.test.ts'
import type { RunState } from './state.ts'

describe('given a run that begins', () => {
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

const begin = runStarted({ verifiers: verifierNames })
const stream = fc
  .array(laterFact, { maxLength: 30 })
  .map((facts): readonly RunEvent[] => stamp([begin, ...facts], { stepMs: 25 }))

/** All states, from the first event on. */
function statesOf(events: readonly RunEvent[]): readonly RunState[] {
  const states: RunState[] = []
  for (const event of events) states.push(evolve(states.at(-1), event))
  return states
}

/** What a snapshot in a file gives back. Fields that are undefined are absent there. */
function saved(state: RunState): RunState {
  return JSON.parse(JSON.stringify(state)) as RunState
}

describe('given any stream', () => {
  it('changes neither the event nor the state before it', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const eventsBefore = JSON.stringify(events)
        const states = statesOf(events)
        const first = JSON.stringify(states[0])
        statesOf(events)
        expect(JSON.stringify(states[0])).toBe(first)
        expect(JSON.stringify(events)).toBe(eventsBefore)
      }),
    )
  })

  it('comes to the same states from a snapshot that was saved at any step (I2)', () => {
    fc.assert(
      fc.property(stream, fc.nat(), (events, choice) => {
        const states = statesOf(events)
        const at = choice % events.length
        let restored = states[at]
        if (restored === undefined) throw new Error('a stream has a first event')
        restored = saved(restored)
        for (const [index, event] of events.entries()) {
          if (index <= at) continue
          restored = evolve(restored, event)
          expect(saved(restored)).toEqual(saved(states[index] ?? restored))
        }
      }),
    )
  })

  it('gives nothing back but calls that the provider refused (I9)', () => {
    fc.assert(
      fc.property(stream, (events) => {
        statesOf(events).reduce((before, after) => {
          const [one, other] = [before.consumption, after.consumption]
          for (const name of [
            'toolCalls',
            'activeMs',
            'callsWithoutUsage',
            'cachedInputTokens',
            'reasoningTokens',
          ] as const)
            expect(other[name]).toBeGreaterThanOrEqual(one[name])
          const refused = after.phase.kind === 'retrying' || after.phase.kind === 'agent-failed' ? 1 : 0
          for (const name of ['iterations', 'modelCalls'] as const)
            expect(other[name] + refused).toBeGreaterThanOrEqual(one[name])
          expect(totalTokens(other)).toBeGreaterThanOrEqual(totalTokens(one))
          if (one.costUsd === null) expect(other.costUsd).toBeNull()
          else if (other.costUsd !== null) expect(other.costUsd).toBeGreaterThanOrEqual(one.costUsd)
          return after
        })
      }),
    )
  })
})

describe('given a stream that goes on for ever', () => {
  it('keeps the state bounded: a long run costs no more than its few facts', () => {
    const repeats = 200
    fc.assert(
      fc.property(fc.array(laterFact, { minLength: 1, maxLength: 6 }), (facts) => {
        const many = Array.from({ length: repeats }, (): readonly Fact[] => facts)
        const once = JSON.stringify(stamp([begin, ...facts])).length
        const { activity, ...state } = fold(stamp([begin, ...many])) ?? { activity: undefined }
        expect(JSON.stringify(state).length).toBeLessThan(2 * once + 2000)
        expect(JSON.stringify(activity).length).toBeLessThan(64 * 1024)
      }),
      { numRuns: 60 },
    )
  })
})
