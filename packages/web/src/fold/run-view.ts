import type { RunEvent, VerificationTrigger } from '@donecheck/core/internal/events'
import { amounts, capTable, type Amount } from '@donecheck/core/internal/budgets'
import { spendingOf } from '@donecheck/core/internal/rules/caps'
import type { Line } from '@donecheck/core/internal/base'
import { eventWords } from '@donecheck/core/internal/state/words'
import { evolve, type RunState, hasPassed } from '@donecheck/core/internal/state'
import { changesOfCall, type Change } from './changes.ts'
import { foldTurn, type Turn } from './turns.ts'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { statusesOf, type SubGoalStatus } from '@donecheck/core/internal/goal'

export interface Mark {
  readonly sequence: number
  readonly turn: number
  readonly rule: string
  readonly level: 'note' | 'warn' | 'stop'
  readonly message: string
}

export class RunView {
  /** Without gaps: the event with sequence number n is at n - 1. */
  readonly events: RunEvent[] = []
  readonly turns: Turn[] = []
  readonly verifications: Verification[] = []
  readonly marks: Mark[] = []
  readonly changes: Change[] = []
  /** Undefined until the first event has been folded. */
  state: RunState | undefined

  /** Lists events at once, without duplicates; `fold` processes them. */
  take(events: readonly RunEvent[]): void {
    for (const event of events) if (event.sequence === this.events.length + 1) this.events.push(event)
  }

  get isFolded(): boolean {
    return this.#folded === this.events.length
  }

  /** Folds the taken events until done or `hasTime` returns false. */
  fold(hasTime: () => boolean = () => true): void {
    // Reads the clock only now and then.
    for (let count = 1; !this.isFolded; count += 1) {
      const event = this.events[this.#folded]
      if (event === undefined) return
      this.#fold(event)
      this.#folded += 1
      if (count % 16 === 0 && !hasTime()) return
    }
  }

  #folded = 0

  #fold(event: RunEvent): void {
    const state = evolve(this.state, event)
    this.state = state
    foldTurn(this.turns, event)
    foldVerification(this.verifications, event, state.turn)
    if (event.type === 'finding-noted') {
      const { rule, level, message } = event.finding
      this.marks.push({ sequence: event.sequence, turn: state.turn, rule, level, message })
    }
    if (event.type === 'tool-returned' && event.status === 'ok') {
      const call = this.turns.at(-1)?.calls.findLast(({ callId }) => callId === event.callId)
      if (call !== undefined) this.changes.push(...changesOfCall(call, state.turn))
    }
  }
}

export interface Verification {
  /** Of its first event. */
  readonly sequence: number
  readonly turn: number
  readonly trigger: VerificationTrigger
  readonly verdicts: Map<string, { readonly verdict: Verdict; readonly sequence: number }>
}

function foldVerification(verifications: Verification[], event: RunEvent, turn: number): void {
  if (event.type === 'verification-started')
    verifications.push({ sequence: event.sequence, turn, trigger: event.trigger, verdicts: new Map() })
  if (event.type === 'verdict-given')
    verifications
      .at(-1)
      ?.verdicts.set(event.verdict.verifier, { verdict: event.verdict, sequence: event.sequence })
}

export interface CheckRow {
  readonly name: string
  readonly required: boolean
  readonly role: string
}

export function checkRows(
  state: RunState | undefined,
  verifications: readonly Verification[],
): readonly CheckRow[] {
  const known = (state?.settings.verifiers ?? []).map(({ name, required, role }) => ({
    name,
    required,
    role,
  }))
  const names = new Set(known.map(({ name }) => name))
  const others = new Set(verifications.flatMap(({ verdicts }) => [...verdicts.keys()]))
  return [
    ...known,
    ...[...others]
      .filter((name) => !names.has(name))
      .map((name) => ({ name, required: false, role: 'check' })),
  ]
}

interface GoalRow {
  readonly id: string
  readonly title: string
  readonly depth: number
  readonly status: SubGoalStatus
  readonly isProposed: boolean
  readonly checks: readonly string[]
}

export function goalRows(state: RunState): readonly GoalRow[] {
  const statuses = statusesOf(state.goal, hasPassed(state))
  const children = Map.groupBy(state.goal.subGoals, ({ parentId }) => parentId)
  const seen = new Set<string>()
  const below = (parentId: string | null, depth: number): readonly GoalRow[] =>
    (children.get(parentId) ?? []).flatMap(({ id, title, isProposed, checks }) => {
      if (seen.has(id)) return []
      seen.add(id)
      const row = { id, title, depth, status: statuses.get(id) ?? 'open', isProposed, checks }
      return [row, ...below(id, depth + 1)]
    })
  return below(null, 0)
}

export interface CapUse {
  readonly amount: Amount
  readonly kind: (typeof capTable)[Amount]['kind']
  readonly used: number
  readonly limit: number
}

/** Leaves out caps whose usage is unknown. */
export function capUses(state: RunState): readonly CapUse[] {
  return amounts.flatMap((amount): readonly CapUse[] => {
    const { field, kind } = capTable[amount]
    const limit = state.settings.caps[field]
    if (limit === null || (kind === 'tokens' && !state.agent.reportsUsage)) return []
    return [{ amount, kind, used: spendingOf(state, amount), limit }]
  })
}

const maxLength = 300

/** Formats an event in one line of limited length. */
export function eventLine(event: RunEvent): Line {
  const { tone, text } = eventWords(event)
  return { tone, text: text.slice(0, maxLength).replaceAll(/\s+/g, ' ') }
}

export class EventFilter {
  readonly #wanted: string
  readonly #places: number[] = []
  #seen = 0

  /** @param wanted part of the type or text; empty matches all */
  constructor(wanted: string) {
    this.#wanted = wanted.toLowerCase()
  }

  in(events: readonly RunEvent[]): readonly number[] | 'all' {
    if (this.#wanted === '') return 'all'
    for (; this.#seen < events.length; this.#seen += 1) {
      const event = events[this.#seen]
      if (event !== undefined && this.#matches(event)) this.#places.push(this.#seen)
    }
    return this.#places
  }

  #matches(event: RunEvent): boolean {
    return event.type.includes(this.#wanted) || eventLine(event).text.toLowerCase().includes(this.#wanted)
  }
}
