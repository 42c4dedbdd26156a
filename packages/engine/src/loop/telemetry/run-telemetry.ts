/** Spans, logs and metrics of one run: run → turn → model call, tool, approval, check, judge. */
import {
  context,
  SeverityNumber,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Histogram,
  type Link,
  type Logger,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import {
  agentAttributes,
  agentSpanName,
  replyMessages,
  stopAttributes,
  usageAttributes,
  userMessages,
  verdictAttributes,
  type Attributes,
  type Instruments,
} from './conventions.ts'
import { given } from '../../base/index.ts'
import type { EventHeader, FactOf, FactType, RunEvent, ToolCall } from '@donecheck/core/internal/events'
import { evolve, type RunState } from '@donecheck/core/internal/state'
import { eventWords } from '@donecheck/core/internal/state/words'
import type { TokenUsage } from '@donecheck/core/internal/usage'

type EventOf<Type extends FactType> = FactOf<Type> & EventHeader

interface Writers {
  readonly tracer: Tracer
  readonly logger: Logger
  readonly instruments: Instruments
  readonly withTexts: boolean
}

/** Starts the span of a run; its ids and parent depend on the other runs. */
export type StartRunSpan = (start: (within: Context, links: Link[]) => void, isResumed: boolean) => void

interface NewSpan {
  readonly key: string
  readonly parent: string
  readonly name: string
  readonly attributes: Attributes
  readonly kind?: SpanKind
  /** Default: now; never before its parent. */
  readonly beganMs?: number
}

export function toolKey(callId: string): string {
  return `tool ${callId}`
}

export class RunTelemetry {
  readonly #writers: Writers
  readonly #startRunSpan: StartRunSpan
  readonly #open = new Map<string, { span: Span; parent: string | null; beganMs: number }>()
  #nowMs = Number.NEGATIVE_INFINITY
  #state: RunState | undefined
  /** State before this process continued the run; measured then, or never. */
  #before: RunState | undefined
  #calls: readonly ToolCall[] = []
  #checksBeganMs = 0

  constructor(writers: Writers, startRunSpan: StartRunSpan) {
    this.#writers = writers
    this.#startRunSpan = startRunSpan
  }

  get parent(): RunState['parent'] {
    return this.#state?.parent
  }

  spanOf(key: string): Span | undefined {
    return this.#open.get(key)?.span
  }

  /** Reads events of another process without writing them again. */
  recall(past: readonly RunEvent[]): void {
    for (const event of past) this.#fold(event)
    this.#open.clear()
  }

  /** Writes nothing if the start is unknown. */
  observe(event: RunEvent): void {
    const state = this.#fold(event)
    if (state === undefined) return
    if (event.type === 'run-started' || event.type === 'run-resumed') this.#beginRun(event, state)
    else if (this.#open.has('run')) this.#writeTurn(event, state)
  }

  close(): void {
    this.#end('run')
  }

  #fold(event: RunEvent): RunState | undefined {
    if (this.#state === undefined && event.type !== 'run-started') return undefined
    // Clocks of foreign records may go backwards; spans must not.
    this.#nowMs = Math.max(this.#nowMs, event.timeMs)
    if (event.type === 'run-started' || event.type === 'run-resumed') this.#before = this.#state
    if (event.type === 'model-replied') this.#calls = event.toolCalls
    this.#state = evolve(this.#state, event)
    return this.#state
  }

  #beginRun(event: EventOf<'run-started' | 'run-resumed'>, { runId, agent, parent }: RunState): void {
    const isResumed = event.type === 'run-resumed'
    const attributes = {
      ...agentAttributes(agent),
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'donecheck',
      'gen_ai.conversation.id': runId,
      'donecheck.run_id': runId,
      'donecheck.agent': agent.name,
      'donecheck.resumed': isResumed,
      ...given({ 'donecheck.parent_run_id': parent?.runId }),
      ...(isResumed || event.tags === undefined ? {} : { 'donecheck.tags': [...event.tags] }),
    }
    this.#end('run')
    this.#startRunSpan((within, links) => {
      const options = { kind: SpanKind.INTERNAL, startTime: this.#nowMs, attributes, links }
      const span = this.#writers.tracer.startSpan('invoke_agent donecheck', options, within)
      this.#open.set('run', { span, parent: null, beganMs: this.#nowMs })
    }, isResumed)
  }

  #writeTurn(event: RunEvent, state: RunState): void {
    switch (event.type) {
      case 'goal-set':
        this.#log('donecheck.goal_set', 'INFO', this.#text(userMessages(event.task)))
        return
      case 'model-called':
        this.#beginTurn({ 'donecheck.turn': event.turn })
        this.#beginCall('turn', state, { 'donecheck.attempt': event.attempt })
        return
      case 'final-summary-called':
        this.#beginCall('run', state, { 'donecheck.final_summary': true })
        return
      case 'model-replied':
      case 'model-failed':
      case 'final-summary-replied':
        this.#endCall(event, state)
        return
      case 'turn-ended':
        this.#end('turn', { 'donecheck.transition': event.transition.reason })
        return
      case 'run-stopped':
        this.#endRun(event, state)
        return
      default:
        this.#writeWork(event)
    }
  }

  #writeWork(event: RunEvent): void {
    switch (event.type) {
      case 'verification-started':
      case 'reply-judging-started':
        this.#checksBeganMs = event.timeMs
        return
      case 'verdict-given':
      case 'reply-judged':
        this.#writeVerdict(event)
        return
      case 'finding-noted':
        this.#writeFinding(event)
        return
      case 'approval-requested':
        this.#begin({
          ...{ key: `approval ${event.callId}`, parent: this.#current, name: 'approval' },
          attributes: this.#nameCall(event.callId),
        })
        return
      case 'approval-given': {
        const { approved, scope } = event
        this.#end(`approval ${event.callId}`, {
          'donecheck.approved': approved,
          ...given({ 'donecheck.scope': scope }),
        })
        return
      }
      case 'tool-called':
        this.#beginTool(event)
        return
      case 'tool-returned':
      case 'tool-refused':
        this.#endTool(event)
        return
      default:
    }
  }

  #beginTurn(attributes: Attributes): void {
    if (!this.#open.has('turn')) this.#begin({ key: 'turn', parent: 'run', name: 'turn', attributes })
  }

  #beginCall(parent: string, { agent }: RunState, more: Attributes): void {
    const attributes = { ...agentAttributes(agent), ...more }
    this.#begin({ key: 'call', parent, kind: SpanKind.CLIENT, name: agentSpanName(agent), attributes })
  }

  #endCall(
    event: EventOf<'model-replied' | 'model-failed' | 'final-summary-replied'>,
    { agent }: RunState,
  ): void {
    const problem = event.type === 'model-failed' ? event.failure.kind : event.problem && 'no_answer'
    const { callSeconds, callTokens } = this.#writers.instruments
    const who = agentAttributes(agent)
    const began = this.#open.get('call')
    if (began !== undefined) {
      const how = { ...who, ...given({ 'error.type': problem }) }
      callSeconds.record((this.#nowMs - began.beganMs) / 1000, how)
      if (event.usage !== null) recordTokens(callTokens, event.usage, who)
    }
    const reply =
      event.type === 'model-replied'
        ? { 'gen_ai.response.finish_reasons': [event.finish], ...this.#text(replyMessages(event)) }
        : {}
    this.#end('call', { ...usageAttributes(event.usage, event.costUsd), ...reply }, problem)
  }

  /** Written at the end, when its duration is known. */
  #writeVerdict(event: EventOf<'verdict-given' | 'reply-judged'>): void {
    const { verifier, status, durationMs, reason, evidence } = event.verdict
    const isJudge = event.type === 'reply-judged' || evidence.some(({ kind }) => kind === 'judge')
    const key = `${isJudge ? 'judge' : 'check'} ${verifier}`
    const attributes = verdictAttributes(event.verdict)
    const beganMs = Math.max(this.#checksBeganMs, this.#nowMs - durationMs)
    this.#begin({ key, parent: this.#current, name: key, attributes, beganMs })
    const reported = { ...attributes, ...this.#text({ 'gen_ai.evaluation.explanation': reason }) }
    this.#log('gen_ai.evaluation.result', 'INFO', reported, key)
    this.#end(key, {}, status === 'error' ? 'undecided' : undefined)
    const how = { 'donecheck.check': verifier, 'donecheck.verdict': status }
    this.#writers.instruments.checkSeconds.record(durationMs / 1000, how)
  }

  #writeFinding(event: EventOf<'finding-noted'>): void {
    const { rule, level, numbers } = event.finding
    const attributes = { 'donecheck.rule': rule, 'donecheck.level': level }
    this.#writers.instruments.findings.add(1, attributes)
    const figures = Object.entries(numbers).map(
      ([name, value]) => [`donecheck.numbers.${name}`, value] as const,
    )
    const reported = { ...attributes, ...Object.fromEntries(figures), ...this.#message(event) }
    this.#log('donecheck.finding', level === 'note' ? 'INFO' : 'WARN', reported)
  }

  #beginTool({ callId, tool, effect }: EventOf<'tool-called'>): void {
    const args = this.#calls.find((call) => call.callId === callId)?.args ?? null
    this.#begin({
      ...{ key: toolKey(callId), parent: this.#current, name: `execute_tool ${tool}` },
      attributes: {
        ...this.#nameCall(callId),
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'donecheck.effect': effect,
        ...this.#text({ 'gen_ai.tool.call.arguments': JSON.stringify(args) }),
      },
    })
  }

  #endTool(event: EventOf<'tool-returned' | 'tool-refused'>): void {
    const named = this.#nameCall(event.callId)
    const status = event.type === 'tool-refused' ? 'refused' : event.status
    const { 'gen_ai.tool.name': tool = 'unknown' } = named
    this.#writers.instruments.toolCalls.add(1, { 'gen_ai.tool.name': tool, 'donecheck.status': status })
    if (event.type === 'tool-refused') {
      const why = { 'donecheck.refused_by': event.by, ...given({ 'donecheck.refusal': event.label }) }
      this.#log('donecheck.tool_refused', 'WARN', { ...named, ...why, ...this.#message(event) })
      return
    }
    const attributes = {
      'donecheck.status': status,
      ...this.#text({ 'gen_ai.tool.call.result': event.output }),
    }
    this.#end(toolKey(event.callId), attributes, status === 'ok' ? undefined : status)
  }

  #endRun(event: EventOf<'run-stopped'>, state: RunState): void {
    const { outcome, reason } = event.transition
    const attributes = stopAttributes(event.transition)
    const isError = outcome === 'failed' || outcome === 'error'
    const severity = isError ? 'ERROR' : outcome === 'verified' ? 'INFO' : 'WARN'
    this.#log('donecheck.run_stopped', severity, { ...attributes, ...this.#message(event) })
    this.#end('run', { ...attributes, ...this.#measureRun(state, attributes) }, isError ? reason : undefined)
  }

  #measureRun({ consumption, parent }: RunState, how: Attributes): Attributes {
    const before = this.#before?.consumption
    const since = (name: 'iterations' | 'activeMs' | 'inputTokens' | 'outputTokens') =>
      consumption[name] - (before?.[name] ?? 0)
    const [turns, activeMs] = [since('iterations'), since('activeMs')]
    const [inputTokens, outputTokens] = [since('inputTokens'), since('outputTokens')]
    const costUsd = consumption.costUsd === null ? undefined : consumption.costUsd - (before?.costUsd ?? 0)
    if (parent === undefined) {
      const { runs, runSeconds, runTurns, runTokens, runCost } = this.#writers.instruments
      runs.add(1, how)
      runSeconds.record(activeMs / 1000, how)
      runTurns.record(turns, how)
      recordTokens(runTokens, { inputTokens, outputTokens }, how)
      if (costUsd !== undefined) runCost.record(costUsd, how)
    }
    return {
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
      'donecheck.turns': turns,
      'donecheck.active_ms': activeMs,
      ...given({ 'donecheck.cost_usd': costUsd }),
    }
  }

  get #current(): string {
    return this.#open.has('turn') ? 'turn' : 'run'
  }

  #nameCall(callId: string): Attributes {
    const tool = this.#calls.find((call) => call.callId === callId)?.tool
    return { 'gen_ai.tool.call.id': callId, ...given({ 'gen_ai.tool.name': tool }) }
  }

  /** Masked texts of users, models and tools; in no signal unless enabled. */
  #text(attributes: Attributes): Attributes {
    return this.#writers.withTexts ? attributes : {}
  }

  #message(event: RunEvent): Attributes {
    return this.#text({ 'donecheck.message': eventWords(event).text })
  }

  #begin({ key, parent, name, attributes, kind = SpanKind.INTERNAL, beganMs = this.#nowMs }: NewSpan): void {
    this.#end(key)
    const earliestMs = this.#open.get(parent)?.beganMs ?? this.#nowMs
    const startTime = Math.min(this.#nowMs, Math.max(beganMs, earliestMs))
    const within = contextOf(this.spanOf(parent))
    const span = this.#writers.tracer.startSpan(name, { kind, startTime, attributes }, within)
    this.#open.set(key, { span, parent, beganMs: startTime })
  }

  /** Ends the span and open ones within it. @param error a value of a closed list */
  #end(key: string, attributes: Attributes = { 'donecheck.unfinished': true }, error?: string): void {
    const open = this.#open.get(key)
    if (open === undefined) return
    for (const [child, { parent }] of [...this.#open].toReversed()) if (parent === key) this.#end(child)
    this.#open.delete(key)
    open.span.setAttributes(attributes)
    if (error !== undefined) {
      open.span.setAttribute('error.type', error)
      open.span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    }
    open.span.end(this.#nowMs)
  }

  #log(
    eventName: string,
    severityText: 'INFO' | 'WARN' | 'ERROR',
    attributes: Attributes,
    key = this.#current,
  ): void {
    this.#writers.logger.emit({
      eventName,
      severityNumber: SeverityNumber[severityText],
      severityText,
      timestamp: this.#nowMs,
      attributes,
      context: contextOf(this.spanOf(key)),
    })
  }
}

function recordTokens(
  histogram: Histogram,
  { inputTokens, outputTokens }: Pick<TokenUsage, 'inputTokens' | 'outputTokens'>,
  attributes: Attributes,
): void {
  histogram.record(inputTokens, { ...attributes, 'gen_ai.token.type': 'input' })
  histogram.record(outputTokens, { ...attributes, 'gen_ai.token.type': 'output' })
}

export function contextOf(span: Span | undefined): Context {
  return span === undefined ? context.active() : trace.setSpan(context.active(), span)
}
