/** What became of the runs, held against what was planned and against what was done outside of the record. */
import type { FactOf, RunEvent } from '@donecheck/core/internal/events'
import { z } from 'zod'
import type { PlannedRun } from './plan.ts'

export const ledgerLine = z.strictObject({ runId: z.string(), number: z.int(), workerId: z.string() })
export type LedgerLine = Readonly<z.infer<typeof ledgerLine>>

/** What came back of a run's folder. */
export type Work =
  | { readonly kind: 'missing'; readonly why: string }
  /** It is said that it is not all that the run had. */
  | { readonly kind: 'told'; readonly why: string }
  /** Numbers of the turns whose change is in it. */
  | { readonly kind: 'delivered'; readonly turns: readonly number[] }

/** Nothing: all is as it must be. */
export function problemsOf(
  plan: PlannedRun,
  events: readonly RunEvent[],
  ledger: readonly LedgerLine[],
  work: Work,
): readonly string[] {
  const own = ledger.filter(({ runId }) => runId === plan.runId)
  return [
    ...problemsOfRecord(plan, events),
    ...problemsOfEnd(plan, events),
    ...problemsOfCalls(events, own),
    ...problemsOfApprovals(events),
    ...problemsOfCancel(events),
    ...problemsOfWork(events, work),
  ].map((problem) => `${plan.runId}: ${problem}`)
}

/** No event is lost or doubled. */
function problemsOfRecord({ runId }: PlannedRun, events: readonly RunEvent[]): string[] {
  const wrong = events.findIndex(({ sequence }, index) => sequence !== index + 1)
  return [
    ...(wrong >= 0 ? [`event ${wrong + 1} has the sequence ${String(events[wrong]?.sequence)}`] : []),
    ...(new Set(events.map(({ id }) => id)).size === events.length ? [] : ['an event is there twice']),
    ...(events.every((event) => event.runId === runId) ? [] : ['an event is of another run']),
  ]
}

const reasons = {
  'by itself': ['model_ended'],
  'at its cap': ['hard_cap'],
  // It may have been over before.
  cancelled: ['user_interrupt', 'model_ended'],
} as const

function problemsOfEnd(plan: PlannedRun, events: readonly RunEvent[]): string[] {
  const last = events.at(-1)
  if (last?.type !== 'run-stopped') return [`its last event is ${last?.type ?? 'missing'}`]
  const { reason } = last.transition
  const wanted: readonly string[] = reasons[plan.ending]
  const announced = of('tool-called', events).length
  const planned = Math.min(plan.turns.length, plan.maxToolCalls)
  const wantedCalls = plan.ending === 'cancelled' ? announced : planned
  return [
    ...(wanted.includes(reason) ? [] : [`it ended with ${reason}: ${last.transition.message}`]),
    ...(of('run-stopped', events).length === 1 ? [] : ['it stopped more than once']),
    ...(announced > plan.maxToolCalls ? [`${announced} calls, ${plan.maxToolCalls} are allowed`] : []),
    ...(announced < wantedCalls ? [`${announced} calls, ${wantedCalls} were to be made`] : []),
  ]
}

/** No call is done twice, none without its announcement, and of each it is told what is known. */
function problemsOfCalls(events: readonly RunEvent[], ledger: readonly LedgerLine[]): string[] {
  const numbers = numbersOf(events)
  const called = of('tool-called', events)
  const problems = doubled(called.map(({ callId }) => callId)).map((id) => `call ${id} was announced twice`)
  for (const { callId } of called) {
    const number = numbers.get(callId)
    const lines = ledger.filter((line) => line.number === number).length
    const returned = of('tool-returned', events).filter((event) => event.callId === callId)
    const [first] = returned
    if (first === undefined) problems.push(`of call ${callId} nobody says what became of it`)
    if (returned.length > 1) problems.push(`call ${callId} came back ${returned.length} times`)
    if (first?.status === 'ok' && lines !== 1)
      problems.push(`call ${callId} is ok and was done ${lines} times`)
    if (lines > 1) problems.push(`call ${callId} was done ${lines} times`)
  }
  const announced = new Set(called.map(({ callId }) => numbers.get(callId)))
  const secret = ledger.filter(({ number }) => !announced.has(number))
  return [...problems, ...secret.map(({ number }) => `turn ${number} was done and not announced`)]
}

/** What a person must agree to is asked once, and done after the answer alone. */
function problemsOfApprovals(events: readonly RunEvent[]): string[] {
  const asked = of('approval-requested', events).map(({ callId }) => callId)
  const given = new Set(
    of('approval-given', events)
      .filter(({ approved }) => approved)
      .map(({ callId }) => callId),
  )
  const done = new Set(of('tool-called', events).map(({ callId }) => callId))
  return [
    ...doubled(asked).map((id) => `a person was asked twice about ${id}`),
    ...asked
      .filter((id) => done.has(id) && !given.has(id))
      .map((id) => `${id} was done without the answer of a person`),
  ]
}

/** After it was told to end it begins nothing. */
function problemsOfCancel(events: readonly RunEvent[]): string[] {
  const told = events.findIndex(({ type }) => type === 'interrupt-requested')
  const later = told < 0 ? [] : of('tool-called', events.slice(told))
  return later.map(({ callId }) => `call ${callId} began after the run was cancelled`)
}

/** A change of a call that is ok is in the work, or the run was told later that its folder does not reach so far. */
function problemsOfWork(events: readonly RunEvent[], work: Work): string[] {
  if (work.kind === 'missing') return [`its work is missing: ${work.why}`]
  if (work.kind === 'told') return []
  const numbers = numbersOf(events)
  const called = new Set(of('tool-called', events).map(({ callId }) => numbers.get(callId)))
  const lost = events.flatMap((event, at) => {
    if (event.type !== 'tool-returned' || event.status !== 'ok') return []
    const number = numbers.get(event.callId)
    if (number === undefined || work.turns.includes(number)) return []
    return isToldLost(number, events.slice(at)) ? [] : [number]
  })
  return [
    ...lost.map((number) => `the change of turn ${number} is lost, and nobody was told`),
    ...work.turns
      .filter((number) => !called.has(number))
      .map((number) => `the work has a change of turn ${number}, which was not announced`),
  ]
}

/** @param later from the event on with which the turn's call came back */
function isToldLost(turn: number, later: readonly RunEvent[]): boolean {
  return of('agent-steered', later).some(({ text }) => {
    const told = /was lost.* as it was (?:at the start|after turn (\d+))/.exec(text)
    return told !== null && Number(told.at(1) ?? 0) < turn
  })
}

function numbersOf(events: readonly RunEvent[]): ReadonlyMap<string, number> {
  const calls = of('model-replied', events).flatMap(({ toolCalls }) => toolCalls)
  return new Map(
    calls.flatMap(({ callId, args }) => {
      const parsed = z.object({ number: z.int() }).safeParse(args)
      return parsed.success ? [[callId, parsed.data.number] as const] : []
    }),
  )
}

function of<Type extends RunEvent['type']>(type: Type, events: readonly RunEvent[]): FactOf<Type>[] {
  return events.filter((event): event is RunEvent & FactOf<Type> => event.type === type)
}

function doubled(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
}
