/** A message that was not taken for so long is given up. */
const giveUpAfterMs = 24 * 60 * 60 * 1000
const firstDelayMs = 5_000
const longestDelayMs = 60 * 60 * 1000

export interface FailedAttempt {
  /** So far. */
  readonly attempts: number
  readonly keptAtMs: number
  readonly nowMs: number
  /** What the receiver asked for at least. */
  readonly retryAfterMs: number
  /** From 0 to 1: many who failed together do not come back together. */
  readonly random: number
}

/** When it is tried again; null: it is given up. */
export function nextAttemptMs({
  attempts,
  keptAtMs,
  nowMs,
  retryAfterMs,
  random,
}: FailedAttempt): number | null {
  const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempts - 1)) * (0.5 + random / 2)
  const dueMs = Math.ceil(nowMs + Math.max(delayMs, retryAfterMs))
  return dueMs > keptAtMs + giveUpAfterMs ? null : dueMs
}
