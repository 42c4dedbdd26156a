import { requiredChecks } from '@donecheck/core/internal/state'
import type { FactOf, RunEvent, ToolCall } from '@donecheck/core/internal/events'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import {
  type CheckedTurn,
  type Origin,
  originOf,
  type RecordedCall,
  type RecordedRun,
  type RecordedTurn,
} from './recorded-run.ts'
import { given } from '../../base/index.ts'

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] }
type Call = Writable<RecordedCall>
type Turn = Writable<Omit<RecordedTurn, 'toolCalls'>> & { readonly toolCalls: Call[] }

interface Reading {
  readonly turns: Turn[]
  readonly proposed: Map<string, ToolCall>
  readonly trees: Set<string>
  deciding: ReadonlySet<string>
  model: string | null
  origin: Origin | undefined
  task: string
  tree: string | undefined
  modelCalls: number
  activeMs: number
  lastTurn: number
  announced: { readonly turn: number; readonly startedMs: number } | undefined
  verdicts: Verdict[] | undefined
  end: StopTransition | undefined
}

/** @param events in order @param file name of the store @returns undefined without a start or a turn */
export function runOfEvents(events: readonly RunEvent[], file: string): RecordedRun | undefined {
  const reading = begin()
  let before: RunEvent | undefined
  for (const event of events) {
    // Ignores the time between stop and resume, and clocks that were set back.
    const elapsedMs = before === undefined || event.type === 'run-resumed' ? 0 : event.timeMs - before.timeMs
    reading.activeMs += Math.max(0, elapsedMs)
    read(reading, event)
    before = event
  }
  const [first] = events
  const { turns, task, model, end, origin } = reading
  if (first?.type !== 'run-started' || turns.length === 0) return undefined
  // An imported run was never judged here; its source has the outcome.
  const outcome = origin?.outcome ?? { resolved: resolvedBy(end) }
  const exit = end?.reason ?? null
  const agent = origin?.agent ?? 'donecheck'
  return { id: first.runId, file, model, agent, task, outcome, exit, isCut: wasCut(end), turns }
}

function begin(): Reading {
  return {
    ...{ turns: [], proposed: new Map(), trees: new Set(), deciding: new Set(), model: null },
    ...{ origin: undefined, task: '' },
    ...{ tree: undefined, modelCalls: 0, activeMs: 0, lastTurn: 0, announced: undefined },
    ...{ verdicts: undefined, end: undefined },
  }
}

function read(reading: Reading, event: RunEvent): void {
  switch (event.type) {
    case 'run-started':
      reading.model = event.agent.name
      reading.origin = originOf(event.recipe)
      reading.deciding = new Set(requiredChecks(event))
      return
    case 'goal-set':
      reading.task = event.task
      return
    case 'model-called':
      reading.modelCalls += 1
      reading.announced ??= { turn: event.turn, startedMs: reading.activeMs }
      return
    case 'model-replied':
      replied(reading, event)
      return
    case 'tool-returned':
      returned(reading, event)
      return
    case 'workspace-observed':
      observed(reading, event.fingerprint)
      return
    case 'verification-started':
      reading.verdicts = event.trigger === 'baseline' ? undefined : []
      return
    case 'verdict-given':
      if (reading.deciding.has(event.verdict.verifier)) reading.verdicts?.push(event.verdict)
      return
    case 'turn-ended': {
      checked(reading)
      const last = reading.turns.at(-1)
      if (reading.origin !== undefined && last !== undefined && event.feedback !== undefined)
        last.reply = event.feedback
      return
    }
    case 'run-stopped':
      reading.end = event.transition
      return
    case 'run-resumed':
      reading.end = undefined
      return
    default:
  }
}

function replied(reading: Reading, { text, toolCalls, usage, costUsd }: FactOf<'model-replied'>): void {
  const { announced = { turn: reading.lastTurn, startedMs: reading.activeMs }, modelCalls } = reading
  for (const call of toolCalls) reading.proposed.set(call.callId, call)
  reading.turns.push({
    text,
    toolCalls: [],
    tokens: usage === null ? null : { in: usage.inputTokens, out: usage.outputTokens },
    costUsd,
    ...{ modelCalls, startedMs: announced.startedMs },
    ...(announced.turn === reading.lastTurn ? { isStep: true } : {}),
  })
  reading.modelCalls = 0
  reading.lastTurn = announced.turn
  reading.announced = undefined
}

/** Skips refused calls, which never ran. */
function returned({ turns, proposed }: Reading, event: FactOf<'tool-returned'>): void {
  const { output, status, outcome, failure = null, lines } = event
  const call = proposed.get(event.callId)
  if (call === undefined) return
  turns.at(-1)?.toolCalls.push({
    name: call.tool,
    args: call.args,
    argsDigest: call.identity ?? call.argsDigest,
    result: isLost(event) ? null : output,
    resultDigest: outcome ?? null,
    isError: status === 'ok' ? false : status === 'error' ? true : null,
    ...(outcome === undefined ? {} : { reading: { outcome, failure, ...given({ lines }) } }),
  })
}

/** Whether the result of the call is unknown. */
export function isLost({ status, output, outcome }: FactOf<'tool-returned'>): boolean {
  return status === 'unknown' && output === '' && outcome === undefined
}

function observed(reading: Reading, fingerprint: string): void {
  const isNew = fingerprint !== reading.tree && !reading.trees.has(fingerprint)
  reading.tree = fingerprint
  reading.trees.add(fingerprint)
  const calls = reading.turns.at(-1)?.toolCalls.filter(({ isNewTree }) => isNewTree === undefined) ?? []
  for (const call of calls) call.isNewTree = isNew && call === calls.at(-1)
}

function checked(reading: Reading): void {
  const { turns, verdicts, tree } = reading
  const turn = turns.at(-1)
  reading.verdicts = undefined
  if (turn === undefined || verdicts === undefined || verdicts.length === 0) return
  const claimed = turn.toolCalls.length === 0
  turn.checked = { tree, claimed, verdicts } satisfies CheckedTurn
}

function resolvedBy(end: StopTransition | undefined): boolean | null {
  switch (end?.outcome) {
    case 'verified':
      return true
    case 'failed':
    case 'exhausted':
      return false
    case 'unverified':
    case 'blocked':
    case 'interrupted':
    case 'error':
    case undefined:
      return null
  }
}

/** Whether anything but the agent or a verdict on its work ended the run. */
function wasCut(end: StopTransition | undefined): boolean {
  return (
    end === undefined ||
    !['task_complete', 'verifier_failed_unrecoverable', 'model_ended'].includes(end.reason)
  )
}
