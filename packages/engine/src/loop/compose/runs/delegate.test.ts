/** One budget for a run, its sub-runs, their sub-runs, and a crash. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { createAgentLoop, type AgentLoopOptions } from '../compose.ts'
import { delegateTool, type DelegateOptions } from './delegate.ts'
import { scriptedAgent, type ScriptedStep } from '../../agents/index.ts'
import { fold } from '@donecheck/core/internal/state'
import type { Fact, RunEvent } from '@donecheck/core/internal/events'
import type { Store } from '../../../ports/store.ts'
import { memoryStore } from '../../../system/store/index.ts'

const delegating = (task = 'look it up'): ScriptedStep => ({ tools: [{ tool: 'delegate', args: { task } }] })
const working = { text: 'still at it', finish: 'length' } as const

/** A helper that needs this many turns. */
function helperOf(turns: number): DelegateOptions['loop'] {
  const steps: ScriptedStep[] = [...Array.from({ length: turns - 1 }, () => working), 'Found: 42.']
  return () => ({ agent: scriptedAgent(steps) })
}

interface Scene extends Partial<AgentLoopOptions> {
  readonly script?: readonly ScriptedStep[]
  readonly delegate?: DelegateOptions
}

function parentOf({ script = [delegating(), 'Done.'], delegate = { loop: helperOf(2) }, ...options }: Scene) {
  const store = options.store ?? memoryStore()
  const loop = createAgentLoop({
    agent: scriptedAgent(script),
    tools: [delegateTool(delegate)],
    gate: { check: async () => ({ kind: 'allow', reason: 'a test' }) },
    ...options,
    store,
  })
  return { loop, store }
}

function ofType<Type extends Fact['type']>(events: readonly RunEvent[], type: Type) {
  return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type)
}

async function childOf(store: Store, runId: string) {
  const [started] = ofType(await store.read(runId), 'sub-run-started')
  const events = await store.read(started?.childRunId ?? '')
  return { started, events, state: fold(events) }
}

describe('given an agent that delegates a part of its task', () => {
  it('runs it under its own id in the same store, and names its parent', async () => {
    const { loop, store } = parentOf({})
    const { runId } = await loop.run('find the answer')
    const { events, state } = await childOf(store, runId)
    expect(events[0]).toMatchObject({ type: 'run-started', parent: { runId } })
    expect(state?.task).toBe('look it up')
    expect(state?.phase).toMatchObject({ transition: { reason: 'model_ended' } })
  })
})

describe('given a child that does not come to an end', () => {
  const endless: DelegateOptions = { loop: () => ({ agent: scriptedAgent([working], { repeatLast: true }) }) }

  it('ends at what was allocated, and the parent goes on with what was kept back', async () => {
    const { loop, store } = parentOf({ delegate: endless, hardCap: { iterations: 6 } })
    const { usage, finalText, runId } = await loop.run('find the answer')
    expect(finalText).toBe('Done.')
    expect(usage.iterations).toBe(6)
    const [returned] = ofType(await store.read(runId), 'tool-returned')
    expect(returned).toMatchObject({ status: 'error' })
    expect(returned?.output).toContain('ended as exhausted (hard_cap')
  })

  it('does not begin where nothing is left, and the agent is told', async () => {
    const { loop, store } = parentOf({ delegate: endless, hardCap: { iterations: 2 } })
    const { runId } = await loop.run('find the answer')
    const [returned] = ofType(await store.read(runId), 'tool-returned')
    expect(returned?.output).toBe('not delegated: nothing is left for a sub-run under the cap on turns')
  })

  it('and its own children: all of them together stay within the first budget', async () => {
    const deep = (levels: number): DelegateOptions => ({
      loop: () => ({
        agent: scriptedAgent([delegating('deeper'), working], { repeatLast: true }),
        tools: levels === 0 ? [] : [delegateTool(deep(levels - 1))],
        gate: { check: async () => ({ kind: 'allow', reason: 'a test' }) },
      }),
    })
    const { loop, store } = parentOf({ delegate: deep(2), hardCap: { iterations: 12, modelCalls: 11 } })
    const { usage } = await loop.run('find the answer')
    const runs = await Promise.all((await store.list()).map(({ runId }) => store.read(runId)))
    expect(runs).toHaveLength(4)
    const calls = runs.flatMap((events) => ofType(events, 'model-called'))
    expect(calls.length).toBeLessThanOrEqual(11)
    expect(usage.modelCalls).toBe(calls.length)
  })
})

describe('given a process that dies while a child is at work', () => {
  /** The record up to the announced child, and the child's up to that many events. */
  async function crashed(childEvents: number) {
    const before = parentOf({ delegate: { loop: helperOf(3) }, hardCap: { iterations: 20, tokens: null } })
    const { runId } = await before.loop.run('find the answer')
    const past = await before.store.read(runId)
    const child = await childOf(before.store, runId)
    const store = memoryStore()
    await store.append(0, past.slice(0, past.findIndex(({ type }) => type === 'sub-run-started') + 1), null)
    if (childEvents > 0) await store.append(0, child.events.slice(0, childEvents), null)
    return { runId, store, child }
  }
  const resume = async (store: Store, runId: string) => {
    const { loop } = parentOf({ store })
    const result = await loop.resume(runId)
    return { result, events: await store.read(runId) }
  }

  it('counts what its record says, the call in flight at its worst', async () => {
    const { runId, store, child } = await crashed(5)
    expect(child.events.slice(0, 5).map(({ type }) => type)).toContain('model-replied')
    const { result, events } = await resume(store, runId)
    const [ended] = ofType(events, 'sub-run-ended')
    expect(ended).toMatchObject({ outcome: null, spent: { iterations: 1, modelCalls: 1 } })
    expect(result.usage.iterations).toBe(1 + 1 + 1)
  })

  it('does not go on with the child by itself', async () => {
    const { runId, store, child } = await crashed(5)
    const { loop } = parentOf({ store })
    await expect(Promise.resolve(loop.resume(child.started?.childRunId ?? ''))).rejects.toThrow(
      `is a part of run ${runId}`,
    )
  })
})

describe('given a helper that works in the folder of its parent', () => {
  it('is let in: the parent holds the folder for both', async () => {
    const workFolder = await mkdtemp(join(tmpdir(), 'donecheck-delegate-'))
    try {
      const loop = () => ({ agent: scriptedAgent(['Found: 42.']), workFolder })
      const parent = parentOf({ workFolder, delegate: { loop } })
      const { runId } = await parent.loop.run('find the answer')
      const [returned] = ofType(await parent.store.read(runId), 'tool-returned')
      expect(returned).toMatchObject({ status: 'ok' })
    } finally {
      await rm(workFolder, { recursive: true })
    }
  })
})

describe('given a helper that cannot be built', () => {
  it('the agent is told, and nothing is spent', async () => {
    const loop = () => Promise.reject(new UsageError('no model is set'))
    const parent = parentOf({ delegate: { loop } })
    const { runId, usage } = await parent.loop.run('find the answer')
    const [returned] = ofType(await parent.store.read(runId), 'tool-returned')
    expect(returned).toMatchObject({ status: 'error' })
    expect(returned?.output).toMatch(/the helper failed .*no model is set/)
    expect(usage.iterations).toBe(2)
  })
})

describe('given an interrupt while a child is at work', () => {
  it('ends both, and books what the child had spent', async () => {
    const controller = new AbortController()
    const helper: ScriptedStep[] = [
      working,
      () => {
        controller.abort('SIGINT')
        return working
      },
    ]
    const { loop, store } = parentOf({
      delegate: { loop: () => ({ agent: scriptedAgent(helper) }) },
      signal: controller.signal,
    })
    const { transition, usage, runId } = await loop.run('find the answer')
    expect(transition.reason).toBe('user_interrupt')
    expect(ofType(await store.read(runId), 'sub-run-ended')).toMatchObject([{ outcome: 'interrupted' }])
    expect(usage.modelCalls).toBe(1 + 2)
  })
})

describe('given the tool outside of a run, or arguments that are none', () => {
  it('says so', async () => {
    const tool = delegateTool({ loop: helperOf(1) })
    for (const args of [{}, { task: '' }, { task: 3 }, null, 'task', ['task']])
      expect(await tool.prepare(args)).toMatchObject({ kind: 'invalid' })
    const ready = await tool.prepare({ task: 'x'.repeat(100) })
    if (ready.kind !== 'ready') throw new Error('it is ready')
    expect(ready.summary.length).toBeLessThan(100)
    expect(await ready.run(new AbortController().signal)).toMatchObject({ status: 'error' })
  })
})
