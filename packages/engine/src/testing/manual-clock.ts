import type { Clock, Ids } from '../ports/loop.ts'

/** A clock that moves only when a test advances it. */
export interface ManualClock extends Clock {
  /** Wakes due sleepers, earliest first. */
  advance(ms: number): void
  /** Number of active sleeps. */
  readonly sleeping: number
}

export interface ManualClockOptions {
  /** Sleeps advance the time and end at once. */
  readonly autoAdvance?: boolean
}

interface Sleeper {
  readonly wakesAtMs: number
  wake(): void
}

/** @param startMs Unix milliseconds; a round default keeps failures readable */
export function manualClock(startMs = 1_000_000, options: ManualClockOptions = {}): ManualClock {
  let nowMs = startMs
  let sleepers: readonly Sleeper[] = []

  function advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError(`a clock is advanced by 0 ms or more, not by ${ms}`)
    nowMs += ms
    const due = sleepers.filter(({ wakesAtMs }) => wakesAtMs <= nowMs)
    sleepers = sleepers.filter(({ wakesAtMs }) => wakesAtMs > nowMs)
    for (const sleeper of due.toSorted((one, other) => one.wakesAtMs - other.wakesAtMs)) sleeper.wake()
  }

  function sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || ms <= 0) return Promise.resolve()
    if (options.autoAdvance === true) {
      advance(ms)
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const onAbort = () => {
        sleepers = sleepers.filter((other) => other !== sleeper)
        resolve()
      }
      const wake = () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const sleeper: Sleeper = { wakesAtMs: nowMs + ms, wake }
      signal.addEventListener('abort', onAbort, { once: true })
      sleepers = [...sleepers, sleeper]
    })
  }

  return {
    nowMs: () => nowMs,
    sleep,
    advance,
    get sleeping() {
      return sleepers.length
    },
  }
}

/** Padded, so that names sort in order. */
const digits = 6

/** Predictable names: `event-000001`, `event-000002`, ... */
export function countingIds(prefix = 'event'): Ids {
  let count = 0
  return {
    next() {
      count += 1
      return `${prefix}-${String(count).padStart(digits, '0')}`
    },
  }
}
