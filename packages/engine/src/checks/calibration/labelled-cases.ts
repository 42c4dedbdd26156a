/** Labelled cases, one per line, as events that a run would record. */
import { z } from 'zod'
import { UsageError, jsonOf, sha256 } from '../../base/index.ts'
import { canonicalJson } from '@donecheck/core/internal/base'
import { fold } from '@donecheck/core/internal/state'
import type { RunEvent, ToolCall } from '@donecheck/core/internal/events'

const text = z.string().trim().min(1)

const deed = z.strictObject({
  did: text,
  saw: z.string(),
})

const schema = z.strictObject({
  id: text,
  task: text,
  /** Rules for the answer, in addition to the task. */
  rules: z.array(text),
  /** Oldest first. */
  happened: z.array(deed),
  /** Final text of the agent; may be empty. */
  answer: z.string(),
  label: z.enum(['pass', 'fail']),
  /** What is wrong with a fail: one word of a list. */
  category: text.exactOptional(),
  why: z.string(),
})

export type LabelledCase = z.output<typeof schema>
type Deed = z.output<typeof deed>

/** Parses JSON Lines; the later of equal ids wins. @throws {UsageError} naming source and line */
export function parseCases(jsonLines: string, source: string): readonly LabelledCase[] {
  const cases = jsonLines
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseCase(line, `${source}, line ${index + 1}`)]))
  return [...new Map(cases.map((one) => [one.id, one])).values()]
}

function parseCase(line: string, place: string): LabelledCase {
  const value = jsonOf(line)
  if (value === undefined) throw new UsageError(`${place} is no JSON`)
  const result = schema.safeParse(value)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new UsageError(`${place}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`)
  }
  const { label, category } = result.data
  if (label === 'pass' && category !== undefined)
    throw new UsageError(`${place}: a pass has no category, and "${category}" says what is wrong`)
  return result.data
}

type WithoutHeader<Event> = Event extends RunEvent
  ? Omit<Event, 'schemaVersion' | 'id' | 'runId' | 'sequence' | 'timeMs'>
  : never
type CaseFact = WithoutHeader<
  Extract<RunEvent, { readonly type: 'goal-set' | 'model-replied' | 'tool-called' | 'tool-returned' }>
>

const timeMs = 0

/** Events as in a run: calls and their results. */
export function eventsOf({ task, happened, answer }: LabelledCase): readonly RunEvent[] {
  const facts: readonly CaseFact[] = [
    { type: 'goal-set', task },
    ...happened.flatMap((deed, index) => factsOf(deed, `call-${index + 1}`)),
    { type: 'model-replied', text: answer, toolCalls: [], finish: 'stop', usage: null, costUsd: null },
  ]
  return facts.map((fact, index): RunEvent => {
    const sequence = index + 1
    return { ...fact, schemaVersion: 1, id: `event-${sequence}`, runId, sequence, timeMs }
  })
}

function factsOf({ did, saw }: Deed, callId: string): readonly CaseFact[] {
  const args = { command: did }
  const call: ToolCall = { callId, tool: 'shell', args, argsDigest: sha256(canonicalJson(args)) }
  return [
    { type: 'model-replied', text: '', toolCalls: [call], finish: 'tool-calls', usage: null, costUsd: null },
    { type: 'tool-called', callId, tool: 'shell', effect: 'execute' },
    { type: 'tool-returned', callId, status: 'ok', output: saw },
  ]
}

/** One id for all cases, so that a cap on judge spending applies to all of them. */
const runId = 'calibration'

/** Calls per case, and characters per text. */
const maxDeeds = 12
const maxLength = 600

/** Returns what a person labels. @throws {TypeError} for a record without a start */
export function caseOfRun(events: readonly RunEvent[]): Omit<LabelledCase, 'label' | 'category' | 'why'> {
  const state = fold(events)
  if (state === undefined) throw new TypeError('a run without an event cannot be labelled')
  return {
    id: state.runId,
    task: state.task,
    rules: [],
    happened: [...callsIn(events), ...verdictsIn(events)].slice(-maxDeeds),
    answer: finalTextOf(events),
  }
}

function callsIn(events: readonly RunEvent[]): readonly Deed[] {
  const calls = new Map(
    events.flatMap((event) =>
      event.type === 'model-replied' ? event.toolCalls.map((call) => [call.callId, call] as const) : [],
    ),
  )
  return events.flatMap((event) => {
    const call = event.type === 'tool-returned' ? calls.get(event.callId) : undefined
    if (event.type !== 'tool-returned' || call === undefined) return []
    return [{ did: shorten(`${call.tool} ${JSON.stringify(call.args)}`), saw: shorten(event.output) }]
  })
}

function verdictsIn(events: readonly RunEvent[]): readonly Deed[] {
  const latest = new Map(
    events.flatMap((event) =>
      event.type === 'verdict-given' ? [[event.verdict.verifier, event.verdict] as const] : [],
    ),
  )
  return [...latest.values()].map(({ verifier, status, reason }) => ({
    did: `check: ${verifier}`,
    saw: shorten(`${status}: ${reason}`),
  }))
}

function finalTextOf(events: readonly RunEvent[]): string {
  const texts = events.flatMap((event) => (event.type === 'model-replied' ? [event.text] : []))
  return texts.findLast((text) => text.trim() !== '') ?? ''
}

function shorten(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`
}
