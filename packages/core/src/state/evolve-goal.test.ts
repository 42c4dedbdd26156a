/** What holds of goals whatever is asked of them, and whatever their run does: one at a time, each charged with its own. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  drivesRequests,
  nothingSpent,
  problemOfChange,
  type GoalRequest,
  type GoalSpent,
} from '../goal/index.ts'
import type { NewEvent, RunEvent } from '../events/index.ts'
import {
  modelCalled,
  modelFailed,
  modelReplied,
  runResumed,
  runStopped,
  turnEnded,
} from '../testing/facts.ts'
import { runStarted, stamp } from '../testing/index.ts'
import { laterFact } from '../testing/generated/generated-events.test.ts'
import { goalChange } from '../testing/generated/generated-parts.test.ts'
import type { RunState } from './state.ts'
import { evolve, fold } from './evolve.ts'

const tokens = fc.record({
  inputTokens: fc.nat({ max: 500 }),
  cachedInputTokens: fc.nat({ max: 500 }),
  outputTokens: fc.nat({ max: 500 }),
})
type Tokens = typeof tokens extends fc.Arbitrary<infer Value> ? Value : never

/** A step of the run between two boundaries, or a request. */
type Act =
  | { readonly kind: 'turn' | 'turn-of-two-calls'; readonly tokens: Tokens }
  | { readonly kind: 'stopped-and-resumed' }
  | { readonly kind: 'asked'; readonly request: GoalRequest }

const request: fc.Arbitrary<GoalRequest> = fc.record({
  goalId: fc.constantFrom(null, 'run-1', 'goal-2', 'goal-3'),
  by: fc.constantFrom('Mia', drivesRequests),
  change: goalChange,
})
const anotherGoal = fc.constantFrom('run-1', 'goal-2', 'goal-3', 'goal-4').map((goalId): GoalRequest => {
  return { goalId: null, by: 'Mia', change: { kind: 'replaced', goalId, objective: 'other work' } }
})
const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('turn' as const, 'turn-of-two-calls' as const), tokens }),
    fc.constant({ kind: 'stopped-and-resumed' as const }),
    fc.record({ kind: fc.constant('asked' as const), request }),
    fc.record({ kind: fc.constant('asked' as const), request: anotherGoal }),
  ),
  { maxLength: 25 },
)

/** The stream that a run would have written, and its states, each after one event. */
function played(acts: readonly Act[]) {
  const facts: NewEvent[] = [runStarted({ verifiers: ['unit'] }), { type: 'goal-set', task: 'work' }]
  let state = fold(stamp(facts))
  for (const act of acts) {
    if (state === undefined) throw new Error('a run that has begun has a state')
    facts.push(...factsOf(act, state))
    state = fold(stamp(facts))
  }
  const events = stamp(facts, { stepMs: 25 })
  const states: RunState[] = []
  for (const event of events) states.push(evolve(states.at(-1), event))
  return { events, states }
}

function factsOf(act: Act, state: RunState): readonly NewEvent[] {
  const { turn, goal, settings } = state
  switch (act.kind) {
    case 'turn':
      return [
        modelCalled(turn + 1),
        modelReplied({ usage: { ...act.tokens, estimated: false }, costUsd: 0.01 }),
        turnEnded(turn + 1),
      ]
    case 'turn-of-two-calls':
      return [
        modelCalled(turn + 1),
        modelFailed({ kind: 'interrupted' }, { usage: { ...act.tokens, estimated: false }, costUsd: 0.01 }),
        ...factsOf({ kind: 'turn', tokens: act.tokens }, state),
      ]
    case 'stopped-and-resumed':
      return [runStopped('user_interrupt'), runResumed()]
    case 'asked': {
      const { by, change } = act.request
      const names = settings.verifiers.map(({ name }) => name)
      const reason = problemOfChange(goal, act.request, names)
      if (reason !== undefined) return [{ type: 'goal-change-refused', by, kind: change.kind, reason }]
      return [{ type: 'goal-changed', goalId: goal.id, by, change }]
    }
  }
}

/** Written without the fold: which goal each event belongs to, and what its own calls have used. */
function ledgerOf(events: readonly RunEvent[]) {
  let goalId = 'run-1'
  const ids = [goalId]
  const spent = new Map<string, Tokens>()
  const turns = new Map<string, ReadonlySet<number>>()
  return events.map((event) => {
    if (event.type === 'goal-changed' && event.change.kind === 'replaced') {
      goalId = event.change.goalId
      ids.push(goalId)
    }
    if (event.type === 'model-called') turns.set(goalId, new Set([...(turns.get(goalId) ?? []), event.turn]))
    const before = spent.get(goalId) ?? { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }
    const usage = event.type === 'model-replied' || event.type === 'model-failed' ? event.usage : null
    if (usage !== null)
      spent.set(goalId, {
        inputTokens: before.inputTokens + usage.inputTokens,
        cachedInputTokens:
          before.cachedInputTokens + Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens),
        outputTokens: before.outputTokens + usage.outputTokens,
      })
    return {
      goalId,
      ids: [...ids],
      spent: { ...(spent.get(goalId) ?? before), turns: turns.get(goalId)?.size ?? 0 },
    }
  })
}

describe('given any run of a goal that anybody may change', () => {
  it('charges each goal with the calls between its beginning and the next one, and no other', () => {
    fc.assert(
      fc.property(acts, (given) => {
        const { events, states } = played(given)
        const ledger = ledgerOf(events)
        for (const [index, { goal }] of states.entries()) {
          expect(goal.id).toBe(ledger[index]?.goalId)
          expect(goal.spent).toMatchObject(ledger[index]?.spent ?? {})
        }
      }),
    )
  })

  it('never has the same id for two goals, so that whoever means one of before is refused', () => {
    fc.assert(
      fc.property(acts, (given) => {
        const { events, states } = played(given)
        const ids = ledgerOf(events).at(-1)?.ids ?? []
        expect(new Set(ids).size).toBe(ids.length)
        const { goal, settings } = states.at(-1) ?? {}
        if (goal === undefined) throw new Error('a stream has a last state')
        const names = settings?.verifiers.map(({ name }) => name) ?? []
        for (const goalId of ids.slice(0, -1)) {
          const stale = { goalId, by: 'Mia', change: { kind: 'paused' as const, reason: '' } }
          expect(problemOfChange(goal, stale, names)).toContain('is not the goal of this run any more')
        }
      }),
    )
  })

  it('that begins after a call of unknown cost has cost nothing until it calls somebody', () => {
    const reply = modelReplied({ usage: null, costUsd: null })
    const facts: NewEvent[] = [runStarted(), { type: 'goal-set', task: 'a' }, modelCalled(1), reply]
    const another: NewEvent = {
      ...{ type: 'goal-changed', goalId: 'run-1', by: 'Mia' },
      change: { kind: 'replaced', goalId: 'goal-2', objective: 'b' },
    }
    const quiet: NewEvent = { type: 'interrupt-requested', by: 'Mia' }
    const costs = (more: readonly NewEvent[]) =>
      fold(stamp([...facts, another, ...more], { stepMs: 0 }))?.goal.spent.costUsd
    expect([costs([]), costs([quiet])]).toEqual([0, 0])
    expect(costs([modelCalled(2), reply])).toBeNull()
  })

  it('takes nothing back of what a goal or a part of it has used', () => {
    fc.assert(
      fc.property(acts, (given) => {
        const { states } = played(given)
        states.reduce((before, after) => {
          if (before.goal.id !== after.goal.id) {
            expect(after.goal.spent).toEqual(nothingSpent)
            return after
          }
          expectGrown(before.goal.spent, after.goal.spent)
          if (!after.goal.isCleared)
            for (const [id, spent] of Object.entries(before.goal.spentOnSubGoals))
              expectGrown(spent, after.goal.spentOnSubGoals[id] ?? nothingSpent)
          return after
        })
      }),
    )
  })

  it('charges its parts with no more than itself', () => {
    fc.assert(
      fc.property(acts, (given) => {
        const { states } = played(given)
        for (const { goal } of states) {
          const parts = Object.values(goal.spentOnSubGoals)
          expect(parts.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBeLessThanOrEqual(
            goal.spent.inputTokens,
          )
          expect(parts.reduce((sum, { turns }) => sum + turns, 0)).toBeLessThanOrEqual(goal.spent.turns)
        }
      }),
    )
  })

  it('is complete by no request, whoever asks', () => {
    fc.assert(
      fc.property(acts, (given) => {
        for (const { goal } of played(given).states) expect(goal.status).not.toBe('complete')
      }),
    )
  })
})

describe('given any stream, the ones that no recorder would write among them', () => {
  it('has charged the goal with what the run has used since the goal was set', () => {
    fc.assert(
      fc.property(fc.array(laterFact, { maxLength: 30 }), (facts) => {
        const events = stamp([runStarted(), ...facts], { stepMs: 25 })
        let state: RunState | undefined
        let atStart = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, activeMs: 0 }
        for (const event of events) {
          state = evolve(state, event)
          const { consumption, goal } = state
          const isNew =
            event.type === 'goal-set' || (event.type === 'goal-changed' && event.change.kind === 'replaced')
          if (isNew) atStart = consumption
          for (const name of ['inputTokens', 'outputTokens', 'cachedInputTokens', 'activeMs'] as const)
            expect(goal.spent[name]).toBe(consumption[name] - atStart[name])
        }
      }),
    )
  })
})

function expectGrown(before: GoalSpent, after: GoalSpent): void {
  for (const name of ['inputTokens', 'cachedInputTokens', 'outputTokens', 'activeMs', 'turns'] as const)
    expect(after[name]).toBeGreaterThanOrEqual(before[name])
  if (before.costUsd === null) expect(after.costUsd).toBeNull()
  else if (after.costUsd !== null) expect(after.costUsd).toBeGreaterThanOrEqual(before.costUsd)
}
