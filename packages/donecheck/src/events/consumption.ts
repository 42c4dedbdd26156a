/** What a run has used up. Consumption only grows: nothing resets it, a resume least of all (I9). */
import type { TokenUsage } from './event.ts'
import type { Consumption } from './state.ts'

export const noConsumption: Consumption = {
  iterations: 0,
  modelCalls: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  tokensEstimated: false,
  callsWithoutUsage: 0,
  costUsd: 0,
  activeMs: 0,
}

/** Books one reply. A cost of null makes the whole cost unknown: it is said, not guessed. */
export function spend(
  consumption: Consumption,
  usage: TokenUsage | null,
  costUsd: number | null,
): Consumption {
  const total = consumption.costUsd === null || costUsd === null ? null : consumption.costUsd + costUsd
  if (usage === null)
    return { ...consumption, costUsd: total, callsWithoutUsage: consumption.callsWithoutUsage + 1 }
  return {
    ...consumption,
    costUsd: total,
    inputTokens: consumption.inputTokens + usage.inputTokens,
    outputTokens: consumption.outputTokens + usage.outputTokens,
    tokensEstimated: consumption.tokensEstimated || usage.estimated,
  }
}

/** A clock that was set back costs nothing. */
export function spendTime(consumption: Consumption, elapsedMs: number): Consumption {
  return elapsedMs > 0 ? { ...consumption, activeMs: consumption.activeMs + elapsedMs } : consumption
}

export function totalTokens(consumption: Pick<Consumption, 'inputTokens' | 'outputTokens'>): number {
  return consumption.inputTokens + consumption.outputTokens
}
