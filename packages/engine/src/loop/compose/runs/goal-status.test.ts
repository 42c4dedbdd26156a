import { describe, expect, it } from 'vitest'
import type { AgentFailure } from '@donecheck/core/internal/events'
import type { GoalChange } from '@donecheck/core/internal/goal'
import { memoryStore } from '../../../system/store/index.ts'
import { manualClock } from '../../../testing/index.ts'
import { scriptedAgent } from '../../agents/index.ts'
import { goalTools } from '../../tools/index.ts'
import { goalScene } from '../fixtures/goal-scene.ts'

describe('given a goal that waits', () => {
  const wait = (more: object): GoalChange => ({
    kind: 'wait-began',
    awaited: { kind: 'time' },
    expiresAtMs: 0,
    reason: 'the build',
    ...more,
  })

  it('uses no turn until the time is up, and tells the agent', async () => {
    const clock = manualClock(1_000_000, { autoAdvance: true })
    const { run, requests } = goalScene(
      [{ asked: [wait({ expiresAtMs: clock.nowMs() + 60_000 })] }, { writes: ['a.txt'] }],
      { clock },
    )
    const { usage, transition } = await run()
    expect(transition.outcome).toBe('verified')
    expect(usage.iterations).toBe(2)
    expect(requests[1]?.conversation.messages.at(-1)?.text).toContain(
      'What you waited for is over: the build',
    )
  })
})

describe('given a provider whose limit is reached', () => {
  it('leaves the goal limited by usage, and goes on when the run is resumed', async () => {
    let kind: AgentFailure['kind'] = 'rate-limited'
    const fails = () => ({ fails: { kind, message: 'no more this week', retryable: false } })
    const { run, loop } = goalScene([], { agent: scriptedAgent([fails]) })
    const { runId, state } = await run()
    expect(state.goal).toMatchObject({ status: 'usage-limited', reason: 'no more this week' })
    kind = 'configuration'
    await loop.resume(runId)
    expect((await loop.goal.show(runId)).goal.status).toBe('blocked')
  })
})

describe('given an agent that speaks of its goal', () => {
  it('may plan, and its plan stands in nobody’s way', async () => {
    const store = memoryStore()
    const plan = { tool: 'propose_subgoals', args: { titles: ['look around', 'write it'] } }
    const { run, loop } = goalScene([{ tools: [plan] }, { writes: ['a.txt'] }], {
      store,
      tools: goalTools(store, Date.now),
    })
    const { transition, runId } = await run()
    expect(transition.outcome).toBe('verified')
    const { subGoals, progress } = await loop.goal.show(runId)
    expect(subGoals.map(({ title, isProposed }) => [title, isProposed])).toEqual([
      ['look around', true],
      ['write it', true],
    ])
    expect(progress.share).toBeNull()
  })
})
