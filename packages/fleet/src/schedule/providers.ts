/** When a model provider lets another run through. */
import type { Limits, SavedSchedule } from './facts.ts'

interface Provider {
  running: number
  closedUntilMs: number
  /** When the bucket would be full again, less its burst: the theoretical arrival time. */
  arrivalMs: number
}

/**
 * Token buckets as the generic cell rate algorithm keeps them (ITU-T I.371): a time instead of a filling level, so
 * that no rounding adds up, and the time of the next token is exact.
 */
export class Providers {
  readonly #providers = new Map<string, Provider>()
  #limits: NonNullable<Limits['providers']> = {}

  setLimits(limits: Limits): void {
    this.#limits = limits.providers ?? {}
  }

  /** Infinity: not before one of its runs gives its worker back. */
  opensAtMs(name: string | undefined): number {
    const provider = name === undefined ? undefined : this.#providers.get(name)
    if (name === undefined || provider === undefined) return -Infinity
    if (provider.running >= (this.#limits[name]?.atOnce ?? Infinity)) return Infinity
    return Math.max(provider.closedUntilMs, provider.arrivalMs - this.#pace(name).toleranceMs)
  }

  placed(name: string | undefined, nowMs: number): void {
    if (name === undefined) return
    const provider = this.#provider(name)
    provider.running += 1
    provider.arrivalMs = Math.max(nowMs, provider.arrivalMs) + this.#pace(name).intervalMs
  }

  /** One of its runs is with a worker again, as was saved. */
  goesOn(name: string | undefined): void {
    if (name !== undefined) this.#provider(name).running += 1
  }

  released(name: string | undefined): void {
    if (name !== undefined) this.#provider(name).running -= 1
  }

  /** It opens with one token: whoever waited does not come back all at once. */
  close(name: string, untilMs: number): void {
    const provider = this.#provider(name)
    provider.closedUntilMs = Math.max(provider.closedUntilMs, untilMs)
    provider.arrivalMs = Math.max(provider.arrivalMs, untilMs + this.#pace(name).toleranceMs)
  }

  open(saved: SavedSchedule['providers']): void {
    for (const [name, times] of Object.entries(saved)) Object.assign(this.#provider(name), times)
  }

  saved(): SavedSchedule['providers'] {
    return Object.fromEntries(
      [...this.#providers].map(([name, { closedUntilMs, arrivalMs }]) => [
        name,
        { closedUntilMs, arrivalMs },
      ]),
    )
  }

  #pace(name: string): { intervalMs: number; toleranceMs: number } {
    const bucket = this.#limits[name]?.bucket
    if (bucket === undefined) return { intervalMs: 0, toleranceMs: 0 }
    const intervalMs = 60_000 / bucket.perMinute
    return { intervalMs, toleranceMs: (bucket.burst - 1) * intervalMs }
  }

  #provider(name: string): Provider {
    const known = this.#providers.get(name) ?? { running: 0, closedUntilMs: 0, arrivalMs: 0 }
    this.#providers.set(name, known)
    return known
  }
}
