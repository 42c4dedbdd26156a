/** What was measured of a goal runtime in common use and should not be: each as a story that ends otherwise here. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '@donecheck/core/stops'
import { drivesRequests, type GoalChange } from '@donecheck/core/goal'
import type { RunEvent } from '@donecheck/core/events'
import { UsageError } from '../../../base/index.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { manualClock } from '../../../testing/index.ts'
import { scriptedDrive, type ScriptedStep } from '../../drives/index.ts'
import { goalTools } from '../../tools/index.ts'
import { edited, goalScene, toldAfter } from '../fixtures/goal-scene.ts'

const used = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
  estimated: false,
})
const reports = (blocker: string) => ({ tools: [{ tool: 'report_blocked', args: { blocker } }] })
const looks = { tools: [{ tool: 'get_goal', args: {} }] }
const another: GoalChange = { kind: 'replaced', goalId: 'goal-2', objective: 'write a.txt after all' }

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

  it('has its last words charged, although the goal was reached before them', async () => {
    const report = { text: 'Here is what I did.', usage: used(300, 50) }
    const { run } = speakingScene([{ ...looks, writes: ['a.txt'], usage: used(200, 20) }, report], {
      completeWhen: 'checks-and-claim',
    })
    const { transition, state } = await run()
    expect(transition.outcome).toBe('verified')
    expect(state.goal.spent).toMatchObject({ inputTokens: 500, outputTokens: 70, turns: 2 })
  })

  it('cannot be opened again by a client: more work is another run', async () => {
    const { run, loop } = goalScene([{ writes: ['a.txt'] }])
    const { runId } = await run()
    for (const change of [edited('more'), { kind: 'paused', reason: '' }] as const)
      await expect(loop.goal.change(runId, change)).rejects.toThrow(UsageError)
  })
})

describe('given a drive that is blocked', () => {
  it('in its first turn, then it goes on, and may find the way', async () => {
    const { run } = speakingScene([reports('no network'), { writes: ['a.txt'] }])
    const { transition, state } = await run()
    expect(transition.outcome).toBe('verified')
    expect(state.goal.blocker).toBeUndefined()
  })

  it('by something else, then the turns are counted anew', async () => {
    const { run } = speakingScene([reports('no network'), reports('no network'), reports('the disk is full')])
    const { transition, usage } = await run()
    expect(transition.message).toContain('the disk is full (3 turns in a row)')
    expect(usage.iterations).toBe(5)
  })

  it('in three turns, but not in a row, then it goes on', async () => {
    const twice = [reports('no network'), reports('no network')]
    const { run } = speakingScene([...twice, looks, ...twice, looks, { writes: ['a.txt'] }])
    expect((await run()).transition.outcome).toBe('verified')
  })

  it('and is resumed, then what stood in the way counts anew', async () => {
    const blocked = [reports('no network'), reports('no network'), reports('no network')]
    const { run, loop } = speakingScene([...blocked, reports('no network'), { writes: ['a.txt'] }])
    const { runId, transition } = await run()
    expect(transition.reason).toBe('blocked')
    expect((await loop.resume(runId)).transition.outcome).toBe('verified')
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

  it('pays for cached input too, and tells it apart', async () => {
    const { run } = goalScene([{ writes: ['a.txt'], usage: used(100, 10, 40) }])
    const { state, usage } = await run()
    expect(state.goal.spent).toMatchObject({ inputTokens: 100, cachedInputTokens: 40, outputTokens: 10 })
    expect(usage.totalTokens).toBe(110)
  })

  it('pays for the first call, and for the turn in which the goal was paused', async () => {
    const pause: GoalChange = { kind: 'paused', reason: 'lunch' }
    const { run } = speakingScene([
      { ...looks, usage: used(110, 0) },
      { asked: [pause], usage: used(70, 7) },
    ])
    const { state } = await run()
    expect(state.goal).toMatchObject({ status: 'paused', spent: { inputTokens: 180, outputTokens: 7 } })
  })
})

describe('given turns without an end', () => {
  it('of which none does anything, then the run ends after a few', async () => {
    const words = Array.from({ length: 44 }, (_, turn) => ({ text: `I go on, for the ${turn + 1}th time.` }))
    const { run } = goalScene(words, { hardCap: { iterations: 1000 } })
    const { transition, usage } = await run()
    expect(transition).toMatchObject({ reason: 'loop_detected', outcome: 'exhausted' })
    expect(usage.iterations).toBe(4)
  })

  it('that change the work, then none of them is the last before the work is done', async () => {
    const turns = Array.from({ length: 60 }, (_, turn) => ({
      ...looks,
      first: () => writeFileSync(join(scene.folder, 'notes.txt'), `line ${turn}`),
    }))
    const scene = speakingScene([...turns, { writes: ['a.txt'] }], { hardCap: { iterations: 1000 } })
    const { transition, usage } = await scene.run()
    expect(transition.outcome).toBe('verified')
    expect(usage.iterations).toBe(61)
  })
})

describe('given an interrupt in the middle of a turn', () => {
  it('leaves the goal as it was, and the night before the resume costs nothing', async () => {
    const clock = manualClock(1_000_000, { autoAdvance: true })
    const stop = new AbortController()
    const works = (ms: number) => () => clock.advance(ms)
    const night = 8 * 3_600_000
    const first = goalScene([{ first: works(2000) }, { first: () => stop.abort('Ctrl-C') }], {
      clock,
      signal: stop.signal,
    })
    const { runId, state } = await first.run()
    expect(state.goal.status).toBe('active')
    clock.advance(night)
    const { store, folder: workFolder } = first
    const again = goalScene([{}, { first: works(3000), writes: ['a.txt'] }], { clock, store, workFolder })
    const { goal } = (await again.loop.resume(runId)).state
    expect(goal).toMatchObject({ id: runId, status: 'complete', spent: { turns: 2 } })
    expect(goal.spent.activeMs).toBeGreaterThanOrEqual(5000)
    expect(goal.spent.activeMs).toBeLessThan(night)
  })
})

describe('given a provider that gives no more for now', () => {
  it('says so of the goal, which goes on when it is resumed', async () => {
    const limit = { kind: 'rate-limited', message: 'the quota is used up', retryable: false } as const
    const first = goalScene([], { drive: scriptedDrive([{ fails: limit }]) })
    const { runId, state } = await first.run()
    expect(state.goal).toMatchObject({ status: 'usage-limited', reason: 'the quota is used up' })
    const { store, folder: workFolder } = first
    const again = goalScene([{ writes: ['a.txt'] }], { store, workFolder })
    expect((await again.loop.resume(runId)).state.goal.status).toBe('complete')
  })
})

describe('given another goal in the place of the first', () => {
  it('while a turn is under way, then that turn is charged to the goal that it was begun for', async () => {
    const { run } = goalScene([
      { asked: [another], usage: used(400, 40) },
      { writes: ['a.txt'], usage: used(70, 7) },
    ])
    const { state } = await run()
    expect(state.goal).toMatchObject({ id: 'goal-2', spent: { inputTokens: 70, outputTokens: 7, turns: 1 } })
  })

  it('then whoever still means the first can neither stop nor change it', async () => {
    const { loop } = goalScene([{ asked: [another] }, {}, { writes: ['a.txt'] }])
    const running = loop.run('write a.txt')
    for await (const { type, runId, sequence } of running) {
      if (type !== 'drive-steered' && type !== 'turn-ended') continue
      const { goal, hasStopped } = await loop.goal.show(runId)
      if (goal.id !== 'goal-2' || hasStopped) continue
      const pause = loop.goal.change(runId, { kind: 'paused', reason: '' }, { goalId: runId })
      await expect(pause, `after event ${sequence}`).rejects.toThrow('is not the goal of this run any more')
    }
    expect((await running).transition.outcome).toBe('verified')
  })

  it('in other words only, then it is the same goal, with what it has used', async () => {
    const { run } = goalScene([{ asked: [edited('write a.txt, now')] }, { writes: ['a.txt'] }])
    const { state } = await run()
    expect(state.goal).toMatchObject({ id: state.runId, revision: 2, spent: { turns: 2 } })
  })
})
