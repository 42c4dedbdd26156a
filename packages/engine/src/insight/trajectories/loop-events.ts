/** The event file of a loop that checks itself after each iteration (adk-loop-lab and its kin) as one recorded run. */
import { z } from 'zod'
import type { JsonValue } from '@donecheck/core/events'
import { jsonOf } from '../../base/index.ts'
import type { RecordedRun, RecordedTurn } from '../recordings/index.ts'
import { recordedCall } from './forms/form.ts'

const loopEvent = z.object({
  run_id: z.string(),
  iteration: z.number().int().nonnegative(),
  event_type: z.string().transform((type) => type.toUpperCase()),
  timestamp: z.unknown(),
  payload: z.record(z.string(), z.json()),
})

export type LoopEvent = z.infer<typeof loopEvent>

/** Undefined: the line is no event of such a loop. */
export function parseLoopEvent(line: string): LoopEvent | undefined {
  return loopEvent.safeParse(jsonOf(line)).data
}

/** How the ends of such a loop are called in the words of other sources. */
const exits: Readonly<Record<string, string>> = {
  SUCCESS: 'success',
  FAILED: 'failed',
  BLOCKED: 'blocked',
  ESCALATE: 'blocked: it asks for a person',
  BUDGET_EXHAUSTED: 'limit of the loop',
  STAGNATED: 'stagnated',
}

/** @param events of one run, in their order */
export function runOfLoopEvents(events: readonly LoopEvent[], file: string): RecordedRun {
  const first = events.find(({ event_type: type }) => type === 'RUN_STARTED')
  const decision = textOf(
    events.findLast(({ event_type: type }) => type === 'STOP_DECISION'),
    'decision',
  ).toUpperCase()
  const error = events.findLast(({ event_type: type }) => type === 'RUN_FAILED' || type === 'ERROR')
  const iterations = [...new Set(events.map(({ iteration }) => iteration))].filter((number) => number > 0)
  const wasFailed = events.some(({ event_type: type }) => type === 'RUN_FAILED')
  const exit = wasFailed ? `error: ${textOf(error, 'message')}` : whyOf(decision, events)
  return {
    id: events[0]?.run_id ?? '',
    model: null,
    agent: textOf(first, 'example_id') || 'loop',
    prompt: textOf(first, 'goal'),
    outcome: { resolved: decision === 'SUCCESS' && !wasFailed, labels: decision === '' ? [] : [decision] },
    exit,
    file,
    turns: iterations.map((number) => turnOf(events.filter(({ iteration }) => iteration === number))),
  }
}

/** The decision, and what the last evaluations said: such a loop gives no reason with it. */
function whyOf(decision: string, events: readonly LoopEvent[]): string | null {
  if (decision === '' || decision === 'CONTINUE') return null
  const last = events.at(-1)?.iteration ?? 0
  const open = events
    .filter(({ event_type: type, iteration }) => type === 'EVALUATION_RESULT' && iteration === last)
    .filter((event) => textOf(event, 'status').toUpperCase() !== 'PASS')
    .map(evaluationWords)
  return `${exits[decision] ?? decision.toLowerCase()}${open.length === 0 ? '' : ` (${open.join('; ')})`}`
}

function turnOf(events: readonly LoopEvent[]): RecordedTurn {
  const ofType = (wanted: string) => events.filter(({ event_type: type }) => type === wanted)
  const results = ofType('TOOL_RESULT')
  return {
    text: ofType('MODEL_RESPONSE')
      .map((event) => textOf(event, 'response'))
      .join('\n\n'),
    modelCalls: Math.max(1, ofType('MODEL_CALL').length),
    toolCalls: ofType('TOOL_CALL').map(({ payload }, at) => {
      const result = results[at]?.payload['result']
      const words = result === undefined ? null : wordOf(result)
      return recordedCall(wordOf(payload['tool_name']), payload['tool_args'] ?? null, words)
    }),
    reply: ofType('EVALUATION_RESULT').map(evaluationWords).join('\n'),
  }
}

/** Such as `word-count FAIL (0.4): 310 words, at most 260`. */
function evaluationWords({ payload }: LoopEvent): string {
  const failures = Array.isArray(payload['failures']) ? payload['failures'].map(wordOf).join('; ') : ''
  const said = wordOf(payload['summary']) || failures
  const head = `${wordOf(payload['evaluator_name'])} ${wordOf(payload['status'])} (${wordOf(payload['score'])})`
  return said === '' ? head : `${head}: ${said}`
}

function textOf(event: LoopEvent | undefined, key: string): string {
  return wordOf(event?.payload[key])
}

function wordOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
