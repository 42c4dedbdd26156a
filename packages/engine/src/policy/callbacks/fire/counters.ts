import type { HookEffect, HookPoint } from '@donecheck/core/gate'

/** What a hook has done since its loop was made. */
export interface HookCounters {
  readonly hook: string
  readonly point: HookPoint
  /** Occasions at which it was run. */
  readonly fired: number
  /** It threw, or answered nonsense. */
  readonly failed: number
  readonly timedOut: number
  /** Refusals and vetoes of its own; failures that refuse are not among them. */
  readonly denied: number
  readonly rewrote: number
  /** It was not run, for an earlier one had decided. */
  readonly skipped: number
  /** In shadow: occasions at which it would have done something. */
  readonly withheld: number
  readonly totalMs: number
  readonly maxMs: number
}

export interface Counted {
  readonly effect: HookEffect
  readonly durationMs: number
  readonly isWithheld: boolean
}

export function noCounts(hook: string, point: HookPoint): HookCounters {
  const none = { fired: 0, failed: 0, timedOut: 0, denied: 0, rewrote: 0, skipped: 0, withheld: 0 }
  return { hook, point, ...none, totalMs: 0, maxMs: 0 }
}

export function count(before: HookCounters, { effect, durationMs, isWithheld }: Counted): HookCounters {
  if (effect === 'skipped') return { ...before, skipped: before.skipped + 1 }
  return {
    ...before,
    fired: before.fired + 1,
    failed: before.failed + Number(effect === 'failed'),
    timedOut: before.timedOut + Number(effect === 'timed-out'),
    denied: before.denied + Number(effect === 'denied'),
    rewrote: before.rewrote + Number(effect === 'rewrote'),
    withheld: before.withheld + Number(isWithheld),
    totalMs: before.totalMs + durationMs,
    maxMs: Math.max(before.maxMs, durationMs),
  }
}
