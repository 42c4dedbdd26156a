import { describe, expect, it } from 'vitest'
import { begun, stamp } from '../testing/index.ts'
import { modelCalled, modelReplied, runResumed, runStopped, tokens, turnEnded } from '../testing/facts.ts'
import { goalMetrics } from './goal-metrics.ts'

describe('given the events of a run', () => {
  const turn = [modelCalled(1), modelReplied({ usage: tokens(900, 100) }), turnEnded(1)]

  it('counts what its goal went through, with what it used by then', () => {
    const events = stamp([
      begun(),

      ...turn,
      runStopped('hard_cap'),
      runResumed(),
      runStopped('task_complete'),
    ])
    expect(goalMetrics(events).map(({ name, value, status }) => [name, value, status])).toEqual([
      ['goal.created', 1, undefined],
      ['goal.budget_limited', 1, undefined],
      ['goal.token_count', 1000, 'budget-limited'],
      ['goal.duration_s', expect.any(Number), 'budget-limited'],
      ['goal.resumed', 1, undefined],
      ['goal.completed', 1, undefined],
      ['goal.token_count', 1000, 'complete'],
      ['goal.duration_s', expect.any(Number), 'complete'],
    ])
  })

  it('says nothing of an interrupt: the goal is as active as before', () => {
    const events = stamp([begun(), runStopped('user_interrupt'), runResumed()])
    expect(goalMetrics(events).map(({ name }) => name)).toEqual(['goal.created'])
  })
})
