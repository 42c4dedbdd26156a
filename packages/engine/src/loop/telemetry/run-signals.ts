import {
  content,
  driveAttributes,
  driveSpanName,
  isJudge,
  stopAttributes,
  usageAttributes,
  verdictAttributes,
} from './attributes.ts'
import { measureCall, measureEnd } from './figures.ts'
import { SignalBook } from './signal-book.ts'
import type { Attributes, Signal } from './signals.ts'
import { toolSignals } from './tool-signals.ts'
import { given } from '../../base/index.ts'
import type { EventHeader, FactOf, FactType, ParentRun, RunEvent, ToolCall } from '@donecheck/core/events'
import { evolve, type RunState } from '@donecheck/core/state'
import type { StopTransition } from '@donecheck/core/transitions'

type EventOf<Type extends FactType> = FactOf<Type> & EventHeader

/**
 * The signals of one run, from its events in their order: run → turn → call of the drive, tool, approval, check, judge. It asks for
 * no clock, and knows no library.
 */
export class RunSignals {
  readonly #book: SignalBook
  #state: RunState | undefined
  /** Before this process went on with it. */
  #before: RunState | undefined
  #parent: ParentRun | undefined
  /** Proposed by the latest reply. */
  #calls: readonly ToolCall[] = []
  #checksBeganMs = 0

  constructor(capturesContent = false) {
    this.#book = new SignalBook(capturesContent)
  }

  /** The run that this one is a part of. */
  get parent(): ParentRun | undefined {
    return this.#parent
  }

  /** What an event says; nothing where the beginning of its run is not known. */
  of(event: RunEvent): readonly Signal[] {
    const before = this.#state
    if (before === undefined && event.type !== 'run-started') return []
    this.#book.nowMs = event.timeMs
    this.#state = evolve(before, event)
    if (event.type === 'run-started' || event.type === 'run-resumed') {
      this.#before = before
      this.#beginRun(event, this.#state)
    } else if (this.#book.has('run')) this.#goOn(event, this.#state)
    return this.#book.take()
  }

  /** What was before it goes on here: told by whoever saw it. */
  recall(past: readonly RunEvent[]): void {
    for (const event of past) this.of(event)
    this.#book.forget()
  }

  /** What is open ends, and nobody knows how. */
  close(): readonly Signal[] {
    this.#book.end('run')
    return this.#book.take()
  }

  #goOn(event: RunEvent, state: RunState): void {
    switch (event.type) {
      case 'goal-set':
        this.#tellTask(event)
        break
      case 'model-called':
        this.#askDrive(event, state)
        break
      case 'final-summary-called':
        this.#beginCall('run', state, { 'donecheck.final_summary': true })
        break
      case 'model-replied':
      case 'model-failed':
      case 'final-summary-replied':
        this.#endCall(event, state)
        break
      case 'turn-ended':
        this.#book.end('turn', { 'donecheck.transition': event.transition.reason })
        break
      case 'verification-started':
      case 'reply-judging-started':
        this.#checksBeganMs = event.timeMs
        break
      case 'verdict-given':
      case 'reply-judged':
        this.#judge(event)
        break
      case 'finding-noted':
        this.#note(event)
        break
      case 'run-stopped':
        this.#stop(event.transition, state)
        break
      default:
        toolSignals(event, this.#calls, this.#book)
    }
  }

  #beginRun(event: EventOf<'run-started' | 'run-resumed'>, { runId, drive }: RunState): void {
    const isStart = event.type === 'run-started'
    if (isStart) this.#parent = event.parent
    this.#book.begin({
      span: 'run',
      parent: null,
      name: 'invoke_agent donecheck',
      attributes: {
        ...driveAttributes(drive),
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'donecheck',
        'gen_ai.conversation.id': runId,
        'donecheck.run_id': runId,
        'donecheck.drive': drive.name,
        'donecheck.resumed': !isStart,
        ...given({ 'donecheck.parent_run_id': this.#parent?.runId }),
        ...(isStart && event.labels !== undefined ? { 'donecheck.labels': [...event.labels] } : {}),
      },
    })
  }

  #tellTask({ task }: EventOf<'goal-set'>): void {
    this.#book.log({ name: 'donecheck.goal_set', severity: 'INFO', attributes: {}, text: content.task(task) })
  }

  #askDrive({ turn, attempt }: EventOf<'model-called'>, state: RunState): void {
    const attributes = { 'donecheck.turn': turn }
    if (!this.#book.has('turn')) this.#book.begin({ span: 'turn', parent: 'run', name: 'turn', attributes })
    this.#beginCall('turn', state, { 'donecheck.attempt': attempt })
  }

  #beginCall(parent: string, { drive }: RunState, more: Attributes): void {
    const attributes = { ...driveAttributes(drive), ...more }
    this.#book.begin({ span: 'call', parent, isClient: true, name: driveSpanName(drive), attributes })
  }

  #endCall(event: EventOf<'model-replied' | 'model-failed' | 'final-summary-replied'>, { drive }: RunState) {
    const error = errorOfCall(event)
    const ageMs = this.#book.ageMs('call')
    if (ageMs !== undefined) measureCall({ drive, usage: event.usage, ageMs, error }, this.#book)
    if (event.type === 'model-replied') this.#calls = event.toolCalls
    this.#book.end(
      'call',
      {
        ...usageAttributes(event.usage, event.costUsd),
        ...(event.type === 'model-replied'
          ? { 'gen_ai.response.finish_reasons': [event.finish], ...this.#book.texts(content.reply(event)) }
          : {}),
      },
      error,
    )
  }

  /** The span of a check is known when it ends: it tells how long it took. */
  #judge(event: EventOf<'verdict-given' | 'reply-judged'>): void {
    const { verdict } = event
    const { verifier, status, durationMs, reason } = verdict
    const kind = event.type === 'reply-judged' || isJudge(verdict) ? 'judge' : 'check'
    const span = `${kind} ${verifier}`
    const attributes = verdictAttributes(verdict)
    const beganMs = Math.max(this.#checksBeganMs, this.#book.nowMs - durationMs)
    this.#book.begin({ span, parent: this.#book.current, name: span, attributes, beganMs })
    const text = content.explanation(reason)
    this.#book.log({ name: 'gen_ai.evaluation.result', severity: 'INFO', attributes, text, span })
    this.#book.end(span, {}, status === 'error' ? 'undecided' : undefined)
    const asked = { 'donecheck.check': verifier, 'donecheck.verdict': status }
    this.#book.measure('donecheck.check.duration', durationMs / 1000, asked)
  }

  #note({ finding: { rule, level, message, numbers } }: EventOf<'finding-noted'>): void {
    const attributes = { 'donecheck.rule': rule, 'donecheck.level': level }
    this.#book.measure('donecheck.findings', 1, attributes)
    const figures = Object.entries(numbers).map(
      ([name, value]) => [`donecheck.numbers.${name}`, value] as const,
    )
    this.#book.log({
      name: 'donecheck.finding',
      severity: level === 'note' ? 'INFO' : 'WARN',
      attributes: { ...attributes, ...Object.fromEntries(figures) },
      text: content.message(message),
    })
  }

  #stop(transition: StopTransition, state: RunState): void {
    const attributes = stopAttributes(transition)
    const { outcome, reason, message } = transition
    const isError = outcome === 'failed' || outcome === 'error'
    const severity = isError ? 'ERROR' : outcome === 'verified' ? 'INFO' : 'WARN'
    this.#book.log({ name: 'donecheck.run_stopped', severity, attributes, text: content.message(message) })
    const isPart = this.#parent !== undefined
    const figures = measureEnd({ now: state, before: this.#before, how: attributes, isPart }, this.#book)
    this.#book.end('run', { ...attributes, ...figures }, isError ? reason : undefined)
  }
}

/** A word of a closed list; undefined: the drive has answered. */
function errorOfCall(
  event: EventOf<'model-replied' | 'model-failed' | 'final-summary-replied'>,
): string | undefined {
  if (event.type === 'model-failed') return event.failure.kind
  return event.problem === undefined ? undefined : 'no_answer'
}
