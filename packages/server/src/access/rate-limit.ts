/** How much one caller may ask for: a bucket for each, which fills up again with time. */
export interface RateLimit {
  /** Takes one. @returns undefined, or after how many milliseconds there will be one */
  take(caller: string, nowMs: number): number | undefined
}

/** Buckets that are remembered; the longest unused one goes first, and is full again. */
const maxBuckets = 10_000

export function rateLimit(burst: number, perMinute: number): RateLimit {
  const buckets = new Map<string, { readonly left: number; readonly atMs: number }>()
  const perMs = perMinute / 60_000
  return {
    take(caller, nowMs) {
      const { left, atMs } = buckets.get(caller) ?? { left: burst, atMs: nowMs }
      const filled = Math.min(burst, left + Math.max(0, nowMs - atMs) * perMs)
      const isGiven = filled >= 1
      buckets.delete(caller)
      buckets.set(caller, { left: isGiven ? filled - 1 : filled, atMs: nowMs })
      const [oldest] = buckets.keys()
      if (buckets.size > maxBuckets && oldest !== undefined) buckets.delete(oldest)
      return isGiven ? undefined : Math.ceil((1 - filled) / perMs)
    },
  }
}
