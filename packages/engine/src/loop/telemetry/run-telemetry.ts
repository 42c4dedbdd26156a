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
  content,
  driveAttributes,
  driveSpanName,
  stopAttributes,
  usageAttributes,
  verdictAttributes,
  type Attributes,
  type Instruments,
} from './conventions.ts'
import { given } from '../../base/index.ts'
import type {
  EventHeader,
  FactOf,
  FactType,
  ParentRun,
  RunEvent,
  ToolCall,
} from '@donecheck/core/internal/events'
import { evolve, type RunState } from '@donecheck/core/internal/state'
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
  #parent: ParentRun | undefined
  #calls: readonly ToolCall[] = []
  #checksBeganMs = 0

  constructor(writers: Writers, startRunSpan: StartRunSpan) {
    this.#writers = writers
    this.#startRunSpan = startRunSpan
  }

  get parent(): ParentRun | undefined {
    return this.#parent
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
    else if (this.#open.has('run')) this.#write(event, state)
  }

  close(): void {
    this.#end('run')
  }

  #fold(event: RunEvent): RunState | undefined {
    if (this.#state === undefined && event.type !== 'run-started') return undefined
    // Clocks of foreign records may go backwards; spans must not.
    this.#nowMs = Math.max(this.#nowMs, event.timeMs)
    if (event.type === 'run-started' || event.type === 'run-resumed') this.#before = this.#state
    if (event.type === 'run-started') this.#parent = event.parent
    if (event.type === 'model-replied') this.#calls = event.toolCalls
    this.#state = evolve(this.#state, event)
    return this.#state
  }

  #write(event: RunEvent, state: RunState): void {
    switch (event.type) {
      case 'goal-set':
        this.#log('donecheck.goal_set', 'INFO', {}, content.task(event.task))
        return
      case 'model-called':
        this.#beginTurn(event.turn)
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
      case 'approval-given':
        this.#writeApproval(event)
        return
      case 'tool-called':
        this.#beginTool(event)
        return
      case 'tool-returned':
      case 'tool-refused':
        this.#endTool(event)
        return
      case 'run-stopped':
        this.#endRun(event, state)
        return
      default:
    }
  }

  #beginTurn(turn: number): void {
    if (this.#open.has('turn')) return
    this.#begin({ key: 'turn', parent: 'run', name: 'turn', attributes: { 'donecheck.turn': turn } })
  }

  #beginRun(event: EventOf<'run-started' | 'run-resumed'>, { runId, drive }: RunState): void {
    const isResumed = event.type === 'run-resumed'
    const attributes = {
      ...driveAttributes(drive),
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'donecheck',
      'gen_ai.conversation.id': runId,
      'donecheck.run_id': runId,
      'donecheck.drive': drive.name,
      'donecheck.resumed': isResumed,
      ...given({ 'donecheck.parent_run_id': this.#parent?.runId }),
      ...(isResumed || event.labels === undefined ? {} : { 'donecheck.labels': [...event.labels] }),
    }
    this.#end('run')
    this.#startRunSpan((within, links) => {
      const options = { kind: SpanKind.INTERNAL, startTime: this.#nowMs, attributes, links }
      const span = this.#writers.tracer.startSpan('invoke_agent donecheck', options, within)
      this.#open.set('run', { span, parent: null, beganMs: this.#nowMs })
    }, isResumed)
  }

  #beginCall(parent: string, { drive }: RunState, more: Attributes): void {
    const attributes = { ...driveAttributes(drive), ...more }
    this.#begin({ key: 'call', parent, kind: SpanKind.CLIENT, name: driveSpanName(drive), attributes })
  }

  #endCall(
    event: EventOf<'model-replied' | 'model-failed' | 'final-summary-replied'>,
    { drive }: RunState,
  ): void {
    const problem = event.type === 'model-failed' ? event.failure.kind : event.problem && 'no_answer'
    const { callSeconds, callTokens } = this.#writers.instruments
    const who = driveAttributes(drive)
    const began = this.#open.get('call')
    if (began !== undefined) {
      const how = { ...who, ...given({ 'error.type': problem }) }
      callSeconds.record((this.#nowMs - began.beganMs) / 1000, how)
      if (event.usage !== null) recordTokens(callTokens, event.usage, who)
    }
    const reply =
      event.type === 'model-replied'
        ? { 'gen_ai.response.finish_reasons': [event.finish], ...this.#texts(content.reply(event)) }
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
    this.#log('gen_ai.evaluation.result', 'INFO', attributes, content.explanation(reason), key)
    this.#end(key, {}, status === 'error' ? 'undecided' : undefined)
    const how = { 'donecheck.check': verifier, 'donecheck.verdict': status }
    this.#writers.instruments.checkSeconds.record(durationMs / 1000, how)
  }

  #writeFinding({ finding: { rule, level, message, numbers } }: EventOf<'finding-noted'>): void {
    const attributes = { 'donecheck.rule': rule, 'donecheck.level': level }
    this.#writers.instruments.findings.add(1, attributes)
    const figures = Object.entries(numbers).map(
      ([name, value]) => [`donecheck.numbers.${name}`, value] as const,
    )
    const all = { ...attributes, ...Object.fromEntries(figures) }
    this.#log('donecheck.finding', level === 'note' ? 'INFO' : 'WARN', all, content.message(message))
  }

  #writeApproval(event: EventOf<'approval-requested' | 'approval-given'>): void {
    const key = `approval ${event.callId}`
    if (event.type === 'approval-requested') {
      const attributes = this.#nameCall(event.callId)
      this.#begin({ key, parent: this.#current, name: 'approval', attributes })
    } else
      this.#end(key, { 'donecheck.approved': event.approved, ...given({ 'donecheck.scope': event.scope }) })
  }

  #beginTool({ callId, tool, effect }: EventOf<'tool-called'>): void {
    const args = this.#calls.find((call) => call.callId === callId)?.args ?? null
    this.#begin({
      key: toolKey(callId),
      parent: this.#current,
      name: `execute_tool ${tool}`,
      attributes: {
        ...this.#nameCall(callId),
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'donecheck.effect': effect,
        ...this.#texts(content.args(args)),
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
      this.#log('donecheck.tool_refused', 'WARN', { ...named, ...why }, content.message(event.reason))
      return
    }
    const attributes = { 'donecheck.status': status, ...this.#texts(content.result(event.output)) }
    this.#end(toolKey(event.callId), attributes, status === 'ok' ? undefined : status)
  }

  #endRun({ transition }: EventOf<'run-stopped'>, state: RunState): void {
    const attributes = stopAttributes(transition)
    const { outcome, reason, message } = transition
    const isError = outcome === 'failed' || outcome === 'error'
    const severity = isError ? 'ERROR' : outcome === 'verified' ? 'INFO' : 'WARN'
    this.#log('donecheck.run_stopped', severity, attributes, content.message(message))
    this.#end('run', { ...attributes, ...this.#measureRun(state, attributes) }, isError ? reason : undefined)
  }

  #measureRun({ consumption: all }: RunState, how: Attributes): Attributes {
    const before = this.#before?.consumption
    const turns = all.iterations - (before?.iterations ?? 0)
    const activeMs = all.activeMs - (before?.activeMs ?? 0)
    const costUsd = all.costUsd === null ? undefined : all.costUsd - (before?.costUsd ?? 0)
    const inputTokens = all.inputTokens - (before?.inputTokens ?? 0)
    const outputTokens = all.outputTokens - (before?.outputTokens ?? 0)
    if (this.#parent === undefined) {
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

  #texts(attributes: Attributes): Attributes {
    return this.#writers.withTexts ? attributes : {}
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

  /** @param text omitted unless content is enabled */
  #log(
    name: string,
    severity: 'INFO' | 'WARN' | 'ERROR',
    attributes: Attributes,
    text: Attributes,
    key = this.#current,
  ): void {
    this.#writers.logger.emit({
      eventName: name,
      severityNumber: SeverityNumber[severity],
      severityText: severity,
      timestamp: this.#nowMs,
      attributes: { ...attributes, ...this.#texts(text) },
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
