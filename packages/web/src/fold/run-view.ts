/** What the page shows of one run: a fold of its events that grows as they come in, however many there are. */
import type { RunEvent } from '@donecheck/core/events'
import { evolve, type RunState } from '@donecheck/core/state'
import { addReading, type BudgetReading } from './budget.ts'
import { changesOfCall, type Change } from './changes.ts'
import { foldTurn, type Turn } from './turns.ts'
import { foldVerification, type Verification } from './verifications.ts'

/** A finding of a rule, at its place. */
export interface Mark {
  readonly sequence: number
  readonly turn: number
  readonly rule: string
  readonly level: 'note' | 'warn' | 'stop'
  readonly message: string
}

export class RunView {
  /** Without gaps from 1: the event with sequence number n is at n - 1. */
  readonly events: RunEvent[] = []
  readonly turns: Turn[] = []
  readonly verifications: Verification[] = []
  readonly readings: BudgetReading[] = []
  readonly marks: Mark[] = []
  readonly changes: Change[] = []
  /** Undefined before the first event was folded. */
  state: RunState | undefined

  /** Events that are known are listed at once; `fold` takes them up. Doubles are left out. */
  take(events: readonly RunEvent[]): void {
    for (const event of events) if (event.sequence === this.events.length + 1) this.events.push(event)
  }

  get isFolded(): boolean {
    return this.#folded === this.events.length
  }

  /** Folds what was taken, until it is all done or `hasTime` says no. */
  fold(hasTime: () => boolean = () => true): void {
    // The clock is not asked for each of them.
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
    addReading(this.readings, event, state)
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
