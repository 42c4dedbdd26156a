import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failedVerdict, passedVerdict, runStarted, stamp, type Step } from '@donecheck/core/testing'
import {
  approvalGiven,
  approvalRequested,
  findingNoted,
  goalSet,
  lastTurnEnded,
  modelCalled,
  modelClaimed,
  modelProposed,
  runResumed,
  runStopped,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
  verdictGiven,
  verificationStarted,
} from '@donecheck/core/internal/testing/facts'
import { laterFact } from '../../../../core/src/testing/generated/generated-events.test.ts'
import { createAgentLoop, delegateTool, type AgentLoopOptions } from '../compose/index.ts'
import { scriptedAgent } from '../agents/index.ts'
import { memoryStore, observedStore } from '../../system/store/index.ts'
import type { Store } from '../../ports/store.ts'
import { collector, type EndedSpan } from './fixtures/collector.ts'
import { firstSpanOf, runIds, telemetryObserver } from './observer.ts'
import type { RunEvent } from '@donecheck/core/internal/events'

const ids = runIds()
const seen = collector(ids)
const run = 'invoke_agent donecheck'
const capturing = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' }

/** @param recalled number of events that another process has written */
function play(events: readonly RunEvent[], { environment = {}, recalled = 0 } = {}): void {
  const observer = telemetryObserver({ environment, ids })
  observer.recall(events.slice(0, recalled))
  for (const event of events.slice(recalled)) observer.observe(event)
  observer.close()
}

const playSteps = (...steps: readonly Step[]) =>
  play(stamp([runStarted({ verifiers: ['npm test'] }), ...steps]))

const everything = () =>
  JSON.stringify([
    seen.spans.map(({ name, attributes }) => ({ name, attributes })),
    seen.logs.map(({ eventName, attributes }) => ({ eventName, attributes })),
  ])

const errorOf = (span: EndedSpan | undefined) => span?.attributes['error.type']
const timesOf = ({ startTime, endTime }: EndedSpan) =>
  [startTime, endTime].map(([seconds, nanos]) => seconds * 1e6 + nanos / 1e3)

const verifiedRun: readonly Step[] = [
  goalSet('secret words of the task'),
  verificationStarted('baseline', 'npm test'),
  { ...verdictGiven(failedVerdict('npm test', { durationMs: 5 })) },
  modelCalled(1),
  modelProposed('call-1'),
  approvalRequested('call-1'),
  approvalGiven('call-1'),
  toolCalled('call-1'),
  toolReturned('call-1', 'secret words of a file'),
  toolRefused('call-2'),
  turnEnded(1, 'the tests fail'),
  modelCalled(2),
  modelClaimed('secret words of the model'),
  verificationStarted('claim', 'npm test'),
  verdictGiven(passedVerdict('npm test', { durationMs: 5 })),
  lastTurnEnded(2, 'task_complete'),
  runStopped('task_complete', { outcome: 'verified' }),
]

describe('given a run that is verified', () => {
  it('its spans are a tree: run, turn, and what happened in the turn', () => {
    playSteps(...verifiedRun)
    expect(seen.spans.map(seen.path)).toEqual([
      `${run} > check npm test`,
      `${run} > turn > chat model`,
      `${run} > turn > approval`,
      `${run} > turn > execute_tool write_file`,
      `${run} > turn`,
      `${run} > turn > chat model`,
      `${run} > turn > check npm test`,
      `${run} > turn`,
      run,
    ])
  })

  it('the model is named as the conventions name it', () => {
    playSteps(...verifiedRun)
    expect(seen.named('chat model')[0]).toMatchObject({
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'test',
        'gen_ai.request.model': 'model',
        'gen_ai.response.finish_reasons': ['tool-calls'],
      },
    })
  })

  it('reason and outcome stand on the span of the run, and are counted', () => {
    playSteps(...verifiedRun)
    const attributes = { 'donecheck.reason': 'task_complete', 'donecheck.outcome': 'verified' }
    expect(seen.spans.at(-1)?.attributes).toMatchObject({ ...attributes, 'donecheck.turns': 2 })
    expect(seen.measured('donecheck.runs')).toEqual([{ attributes, value: 1 }])
  })

  it('a check is an evaluation of its own, which lasts as long as the check took', () => {
    playSteps(...verifiedRun)
    const [, check] = seen.named('check npm test')
    const [startUs = 0, endUs = 0] = check === undefined ? [] : timesOf(check)
    expect(endUs - startUs).toBeCloseTo(5000)
    const log = seen.log('gen_ai.evaluation.result')
    expect(log?.spanContext?.spanId).toBe(check?.spanContext().spanId)
    expect(log?.attributes).toEqual({
      'gen_ai.evaluation.name': 'npm test',
      'gen_ai.evaluation.score.label': 'passed',
    })
  })

  it('texts are written only if they are asked for', () => {
    playSteps(...verifiedRun)
    expect(everything()).not.toContain('secret words')
    play(stamp([runStarted(), ...verifiedRun]), { environment: capturing })
    for (const text of ['of the task', 'of a file', 'a.ts', 'gen_ai.output.messages'])
      expect(everything()).toContain(text)
  })
})

describe('given the end of a run', () => {
  it.each([
    ['failed', 'verifier_failed_unrecoverable', {}, 'verifier_failed_unrecoverable', 'ERROR'],
    ['error', 'error', {}, 'error', 'ERROR'],
    ['exhausted', 'hard_cap', { cap: 'tokens' }, undefined, 'WARN'],
  ] as const)('%s is told with its severity', (outcome, reason, more, error, severity) => {
    playSteps(runStopped(reason, { outcome, ...more }))
    expect(errorOf(seen.spans.at(-1))).toBe(error)
    expect(seen.log('donecheck.run_stopped')?.severityText).toBe(severity)
    if ('cap' in more) expect(seen.spans.at(-1)?.attributes).toMatchObject({ 'donecheck.cap': more.cap })
  })
})

describe('given a finding', () => {
  it('it is logged with its numbers and counted by its rule', () => {
    const words = { rule: 'cap:tokens', level: 'warn', message: 'much' } as const
    playSteps(modelCalled(1), findingNoted({ ...words, numbers: { used: 9 }, basedOn: [] }))
    const attributes = { 'donecheck.rule': 'cap:tokens', 'donecheck.level': 'warn' }
    const log = seen.log('donecheck.finding')
    expect(log?.severityText).toBe('WARN')
    expect(log?.spanContext?.spanId).toBe(seen.named('turn')[0]?.spanContext().spanId)
    expect(log?.attributes).toEqual({ ...attributes, 'donecheck.numbers.used': 9 })
    expect(seen.measured('donecheck.findings')).toEqual([{ attributes, value: 1 }])
  })
})

describe('given a run that was killed and goes on in another process', () => {
  const events = stamp([
    runStarted(),
    goalSet(),
    modelCalled(1),
    modelProposed('call-1'),
    toolCalled('call-1'),
    runResumed(),
    toolReturned('call-1'),
    turnEnded(1),
    modelCalled(2),
    modelClaimed(),
    lastTurnEnded(2, 'model_ended'),
    runStopped('model_ended', { outcome: 'unverified' }),
  ])

  it('without its beginning nothing is told', () => {
    play(events.slice(5))
    expect([...seen.spans, ...seen.logs]).toEqual([])
  })
})

describe('given any stream of events', () => {
  const streams = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: laterFact },
      fc.constantFrom(modelCalled(1), modelCalled(2), runResumed(), toolCalled('a'), toolReturned('a')),
    ),
    { maxLength: 40 },
  )

  /** Every span lies within its parent, if it has one. */
  function expectTree(): void {
    for (const span of seen.spans) {
      const parent = seen.spans.find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId)
      if (span.name !== run) expect(parent).toBeDefined()
      if (parent === undefined) continue
      const [[start = 0, end = 0], [from = 0, to = 0]] = [timesOf(span), timesOf(parent)]
      expect(start >= from && end <= to && end >= start).toBe(true)
      expect(seen.spans.indexOf(span)).toBeLessThan(seen.spans.indexOf(parent))
    }
  }

  it('wherever it is broken off, its spans are a tree, and no text is told', () => {
    fc.assert(
      fc.property(streams, fc.nat(), (facts, place) => {
        seen.spans.length = 0
        const marked = facts.map((fact) =>
          fact.type === 'model-replied' || fact.type === 'goal-set'
            ? { ...fact, text: 'HIDDEN', task: 'HIDDEN' }
            : fact,
        )
        const events = stamp([runStarted(), ...marked, runResumed(), ...marked], { stepMs: 25 })
        play(events, { recalled: place % events.length })
        expectTree()
        expect(everything()).not.toContain('HIDDEN')
      }),
    )
  })
})

function loopOver(store: Store, options: Partial<AgentLoopOptions> & Pick<AgentLoopOptions, 'agent'>) {
  return createAgentLoop({
    tools: [],
    gate: { check: async () => ({ kind: 'allow', reason: 'a test' }) },
    ...options,
    store,
  })
}

describe('given a loop over an observed store', () => {
  it('the run of a helper stands below the call that waits for it, in one trace, and counts for its parent', async () => {
    const store = observedStore(memoryStore(), telemetryObserver({ environment: {}, ids }))
    const delegate = delegateTool({ loop: () => ({ agent: scriptedAgent(['Found: 42.']) }) })
    const agent = scriptedAgent([{ tools: [{ tool: 'delegate', args: { task: 'look it up' } }] }, 'Done.'])
    const { runId } = await loopOver(store, { agent, tools: [delegate] }).run('ask around')
    const [child, parent] = seen.named(run)
    const [call] = seen.named('execute_tool delegate')
    expect(child?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId)
    expect(child?.attributes['donecheck.parent_run_id']).toBe(runId)
    expect(parent?.parentSpanContext).toBeUndefined()
    expect(parent?.spanContext()).toMatchObject(firstSpanOf(runId))
    expect(new Set(seen.spans.map((span) => span.spanContext().traceId)).size).toBe(1)
    expect(seen.measured('donecheck.runs')).toMatchObject([{ value: 1 }])
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
    const { transition } = await loopOver(store, { agent: scriptedAgent(['Done.']) }).run('go')
    expect(transition.reason).toBe('model_ended')
  })
})

describe('given an observer', () => {
  it('what is open when it is closed ends as unfinished', () => {
    const observer = telemetryObserver({ environment: {} })
    for (const event of stamp([runStarted(), modelCalled(1)])) observer.observe(event)
    expect(seen.spans).toEqual([])
    observer.close()
    expect(seen.spans.map(({ name, attributes }) => [name, attributes['donecheck.unfinished']])).toEqual([
      ['chat model', true],
      ['turn', true],
      [run, true],
    ])
  })
})
