/** What a run has cost, and how much of its caps that is. */
import { amounts, capTable, type CapName } from '@donecheck/core/budgets'
import { spendingOf } from '@donecheck/core/caps'
import { totalTokens, type RunState } from '@donecheck/core/state'
import { amountOfLimit } from '../lines/budget-lines.ts'

export interface Spending {
  /** Active time. */
  readonly durationMs: number
  /** Null: nobody knows. */
  readonly tokens: number | null
  readonly isEstimated: boolean
  /** Null: no price is known. */
  readonly costUsd: number | null
  /** Of checks such as judges; not part of `costUsd`. */
  readonly checksCostUsd: number
  readonly caps: readonly CapUse[]
}

/** In turns, calls, tokens, dollars or milliseconds, by what the cap bounds. */
export interface CapUse {
  readonly cap: CapName
  readonly used: number
  readonly limit: number
  /** Such as `5 of 8 turns`. */
  readonly words: string
}

export function spendingOfRun(state: RunState): Spending {
  const { consumption, drive, checksCostUsd, settings } = state
  const caps = amounts.flatMap((amount): readonly CapUse[] => {
    const { cap, field, kind } = capTable[amount]
    const limit = settings.caps[field]
    // What nobody counts is not kept either.
    if (limit === null || (kind === 'tokens' && !drive.reportsUsage)) return []
    const used = spendingOf(state, amount)
    return [{ cap, used, limit, words: amountOfLimit(amount, used, limit) }]
  })
  return {
    durationMs: consumption.activeMs,
    tokens: drive.reportsUsage ? totalTokens(consumption) : null,
    isEstimated: consumption.tokensEstimated,
    costUsd: consumption.costUsd,
    checksCostUsd,
    caps,
  }
}
