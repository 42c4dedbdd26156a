/** A signal of its own that aborts after a time. */
export interface TimeLimit {
  readonly signal: AbortSignal
  /** Ends the waiting; the signal stays as it is. */
  clear(): void
}

/** A longer timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1

export function timeLimit(ms: number): TimeLimit {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), Math.min(ms, maxTimerMs))
  return { signal: over.signal, clear: () => clearTimeout(timer) }
}
