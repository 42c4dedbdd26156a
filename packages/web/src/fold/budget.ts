import { amounts, capTable, type Amount } from '@donecheck/core/internal/budgets'
import { spendingOf } from '@donecheck/core/internal/rules/caps'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { RunState } from '@donecheck/core/internal/state'

export interface BudgetReading {
  readonly turn: number
  readonly timeMs: number
  readonly left: Readonly<Partial<Record<Amount, number>>>
}

/** More cannot be told apart on a screen, so every second one is dropped. */
const maxReadings = 4_000

export function addReading(readings: BudgetReading[], event: RunEvent, state: RunState): void {
  const isReading = ['run-started', 'turn-ended', 'run-stopped', 'budget-added'].includes(event.type)
  if (!isReading) return
  if (readings.length >= maxReadings)
    readings.splice(0, readings.length, ...readings.filter((_, index) => index % 2 === 0))
  readings.push({ turn: state.turn, timeMs: event.timeMs, left: leftOf(state) })
}

function leftOf(state: RunState): BudgetReading['left'] {
  return Object.fromEntries(capUses(state).map(({ amount, used, limit }) => [amount, leftShare(used, limit)]))
}

/** A cap of 0 leaves nothing. */
function leftShare(used: number, limit: number): number {
  return limit <= 0 ? 0 : Math.max(0, 1 - used / limit)
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
    if (limit === null || (kind === 'tokens' && !state.drive.reportsUsage)) return []
    return [{ amount, kind, used: spendingOf(state, amount), limit }]
  })
}

export interface BurnDown {
  /** In turns, or seconds since the start. */
  readonly at: readonly number[]
  readonly lines: readonly { readonly amount: Amount; readonly left: readonly (number | null)[] }[]
}

export function burnDown(readings: readonly BudgetReading[], by: 'turn' | 'time'): BurnDown {
  const startedMs = readings[0]?.timeMs ?? 0
  const last = readings.at(-1)?.left ?? {}
  const lines = amounts
    .filter((amount) => last[amount] !== undefined)
    .toSorted((one, other) => (last[one] ?? 1) - (last[other] ?? 1))
    .map((amount) => ({ amount, left: readings.map(({ left }) => percentOf(left[amount])) }))
  return {
    at: readings.map(({ turn, timeMs }) => (by === 'turn' ? turn : (timeMs - startedMs) / 1000)),
    lines,
  }
}

function percentOf(share: number | undefined): number | null {
  return share === undefined ? null : share * 100
}
