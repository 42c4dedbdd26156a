/** Runs of a whole loop, told to a real SDK in this process. */
import { context, logs, metrics, propagation, trace } from '@opentelemetry/api'
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { telemetryObserver } from './observer.ts'
import { firstSpanOf, runIds } from './run-ids.ts'
import { createAgentLoop, delegateTool, type AgentLoopOptions } from '../compose/index.ts'
import { scriptedDrive } from '../drives/index.ts'
import { memoryStore, observedStore } from '../../system/store/index.ts'
import type { Store } from '../../ports/store.ts'
import { runStarted, sampleRun, stamp } from '@donecheck/core/testing'
import { modelCalled } from '@donecheck/core/testing/facts'

type EndedSpan = Parameters<NonNullable<NodeSDKConfiguration['spanProcessors']>[number]['onEnd']>[0]

const ids = runIds()
let ended: EndedSpan[] = []

beforeEach(() => {
  ended = []
  const nothing = async () => undefined
  const collector = { onStart: () => undefined, onEnd: (span: EndedSpan) => void ended.push(span) }
  new NodeSDK({
    idGenerator: ids,
    autoDetectResources: false,
    spanProcessors: [{ ...collector, forceFlush: nothing, shutdown: nothing }],
    metricReaders: [],
    logRecordProcessors: [],
  }).start()
})

// What is registered is registered for the whole process.
afterEach(() => [context, logs, metrics, propagation, trace].forEach((api) => api.disable()))

function loopOver(store: Store, options: Partial<AgentLoopOptions> & Pick<AgentLoopOptions, 'drive'>) {
  return createAgentLoop({
    tools: [],
    gate: { check: async () => ({ kind: 'allow', reason: 'a test' }) },
    ...options,
    store,
  })
}

const named = (name: string) => ended.filter((span) => span.name === name)

describe('given a run that hands a part of its task on', () => {
  it('the run of the helper stands below the call that waits for it, in one trace', async () => {
    const store = observedStore(memoryStore(), telemetryObserver({ environment: {}, ids }))
    const delegate = delegateTool({ loop: () => ({ drive: scriptedDrive(['Found: 42.']) }) })
    const drive = scriptedDrive([{ tools: [{ tool: 'delegate', args: { task: 'look it up' } }] }, 'Done.'])
    const { runId } = await loopOver(store, { drive, tools: [delegate] }).run('ask around')
    const [child, parent] = named('invoke_agent donecheck')
    const [call] = named('execute_tool delegate')
    expect(child?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId)
    expect(child?.attributes['donecheck.parent_run_id']).toBe(runId)
    expect(parent?.parentSpanContext).toBeUndefined()
    expect(parent?.spanContext()).toMatchObject(firstSpanOf(runId))
    expect(new Set(ended.map((span) => span.spanContext().traceId)).size).toBe(1)
  })
})

describe('given a run that another observer has seen begin', () => {
  it('the store is asked for what was before, and only what is new is told', async () => {
    const store = memoryStore()
    const first = observedStore(store, telemetryObserver({ environment: {}, ids }))
    const hardCap = { iterations: 1 }
    const { runId } = await loopOver(first, { drive: scriptedDrive(['a', 'b']), hardCap }).run('go')
    const before = ended.length
    const second = observedStore(store, telemetryObserver({ environment: {}, ids }))
    const drive = scriptedDrive(['a', 'b'])
    await loopOver(second, { drive, hardCap }).resume(runId, { topUp: { iterations: 1 } })
    const [resumed] = ended.slice(before).filter((span) => span.name === 'invoke_agent donecheck')
    expect(resumed?.attributes).toMatchObject({ 'donecheck.resumed': true, 'donecheck.turns': 1 })
    expect(resumed?.links).toMatchObject([{ context: firstSpanOf(runId) }])
  })
})

describe('given an observer', () => {
  it('events that are given to it by hand are told as well, and what is resumed once it recalls the past', () => {
    const observer = telemetryObserver({ environment: {} })
    const events = sampleRun()
    const place = events.findIndex(({ type }) => type === 'run-resumed')
    events.forEach((event, index) => {
      if (index === place) observer.recall(events.slice(0, place))
      observer.observe(event)
    })
    expect(named('invoke_agent donecheck')).toHaveLength(2)
  })

  it('what is open when it is closed ends as unfinished', () => {
    const observer = telemetryObserver({ environment: {} })
    for (const event of stamp([runStarted(), modelCalled(1)])) observer.observe(event)
    expect(ended).toEqual([])
    observer.close()
    expect(ended.map(({ name, attributes }) => [name, attributes['donecheck.unfinished']])).toEqual([
      ['chat model', true],
      ['turn', true],
      ['invoke_agent donecheck', true],
    ])
  })

  it('an SDK that throws fails no run', async () => {
    trace.disable()
    trace.setGlobalTracerProvider({
      getTracer: () => ({
        startSpan: () => {
          throw new Error('out of spans')
        },
        startActiveSpan: () => undefined,
      }),
    })
    const store = observedStore(memoryStore(), telemetryObserver({ environment: {} }))
    const { transition } = await loopOver(store, { drive: scriptedDrive(['Done.']) }).run('go')
    expect(transition.reason).toBe('model_ended')
  })
})
