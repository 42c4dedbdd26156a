/** What was measured of a goal runtime in common use and should not be: each as a story that ends otherwise here. */
import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '@donecheck/core/stops'
import { drivesRequests } from '@donecheck/core/goal'
import type { RunEvent } from '@donecheck/core/events'
import { memoryStore } from '../../../system/store/index.ts'
import { scriptedDrive, type ScriptedStep } from '../../drives/index.ts'
import { goalTools } from '../../tools/index.ts'
import { goalScene, toldAfter } from '../fixtures/goal-scene.ts'

const used = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
  estimated: false,
})
const reports = (blocker: string) => ({ tools: [{ tool: 'report_blocked', args: { blocker } }] })
const looks = { tools: [{ tool: 'get_goal', args: {} }] }
/** A drive that speaks of its goal. */
function speakingScene(steps: Parameters<typeof goalScene>[0], more: Parameters<typeof goalScene>[1] = {}) {
  const store = memoryStore()
  return goalScene(steps, { store, tools: goalTools(store, Date.now), ...more })
}

/** All that the calls of a run have used, as their providers said. */
function tokensIn(events: readonly RunEvent[]): number {
  return events.reduce((sum, event) => {
    const isAnswer = event.type === 'model-replied' || event.type === 'final-summary-replied'
    return isAnswer && event.usage !== null ? sum + event.usage.inputTokens + event.usage.outputTokens : sum
  }, 0)
}

describe('given a drive that calls its goal complete', () => {
  it('is not believed: the goal is complete by its checks alone', async () => {
    const { run, requests } = goalScene([{ text: 'The goal is complete. All requirements are met.' }])
    const { transition, state } = await run()
    expect(transition.outcome).not.toBe('verified')
    expect(exitCodeOf[transition.outcome]).not.toBe(0)
    expect(state.goal.status).not.toBe('complete')
    expect(toldAfter(requests[1])).toContain('a.txt is wanted')
  })
})

describe('given a drive that is blocked', () => {
  it('in its first turn, then it goes on, and may find the way', async () => {
    const { run } = speakingScene([reports('no network'), { writes: ['a.txt'] }])
    const { transition, state } = await run()
    expect(transition.outcome).toBe('verified')
    expect(state.goal.blocker).toBeUndefined()
  })

  it('may not pause its goal by itself', async () => {
    const { loop, store } = goalScene([{ asked: [] }, { first: () => void 0, writes: ['a.txt'] }])
    const running = loop.run('write a.txt')
    for await (const { type, runId } of running)
      if (type === 'model-called')
        await store.keepGoalRequest(runId, {
          goalId: null,
          by: drivesRequests,
          change: { kind: 'paused', reason: 'enough' },
        })
    expect((await running).transition.outcome).toBe('verified')
  })
})

describe('given a budget', () => {
  /** Calls tools for ever, says as much as it is let, and is sent all of that again. */
  function greedyDrive() {
    let inputTokens = 700
    const step: ScriptedStep = ({ maxOutputTokens }) => {
      const usage = used(inputTokens, maxOutputTokens)
      inputTokens += maxOutputTokens
      return { ...looks, usage }
    }
    return scriptedDrive([step], { repeatLast: true })
  }

  it.each([250, 2_500, 12_000, 30_000])('of %i tokens, then no call oversteps it', async (tokens) => {
    const hardCap = { tokens, iterations: 1000 }
    const { run } = speakingScene([], { drive: greedyDrive(), hardCap, finalSummary: true })
    const { transition, state, usage, events } = await run()
    expect(transition).toMatchObject({ reason: 'hard_cap', cap: 'tokens', outcome: 'exhausted' })
    expect(usage.totalTokens).toBeLessThanOrEqual(tokens)
    expect(state.goal.status).toBe('budget-limited')
    expect(state.goal.spent.inputTokens + state.goal.spent.outputTokens).toBe(tokensIn(events))
  })

  it('that is raised, then the goal goes on at once with what it has used', async () => {
    const { run, loop } = goalScene([{}, { writes: ['a.txt'] }], { hardCap: { iterations: 1 } })
    const { runId, state } = await run()
    expect(state.goal.status).toBe('budget-limited')
    const resumed = await loop.resume(runId, { topUp: { iterations: 1 } })
    expect(resumed.state.goal).toMatchObject({ status: 'complete', spent: { turns: 2, inputTokens: 200 } })
  })
})
