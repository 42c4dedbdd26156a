/** What happened in a labelled case, as the events that a run would have recorded; and of a run what a case keeps. */
import { canonicalJson } from '@donecheck/core/base'
import { fold } from '@donecheck/core/state'
import type { RunEvent, ToolCall } from '@donecheck/core/events'
import { sha256 } from '../../base/index.ts'
import type { Deed, LabelledCase } from './labelled-case.ts'

type WithoutHeader<Event> = Event extends RunEvent
  ? Omit<Event, 'schemaVersion' | 'id' | 'runId' | 'sequence' | 'timeMs'>
  : never
type CaseFact = WithoutHeader<
  Extract<RunEvent, { readonly type: 'goal-set' | 'model-replied' | 'tool-called' | 'tool-returned' }>
>

/** Nobody looks at the times of a labelled case. */
const timeMs = 0

/** A judge is shown the same as in a run: calls, and what came of them. */
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

/** All cases are of one run, so that a cap on what judges spend holds for all of them together. */
const runId = 'calibration'

/** Calls of a run that a case keeps, and characters of each text. */
const maxDeeds = 12
const maxLength = 600

/** What a person saw who labels a run. @throws {TypeError} for a record without a beginning */
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

/** The latest of each check. */
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
