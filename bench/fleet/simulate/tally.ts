/** What is counted while a fleet is simulated. */
export interface Figures {
  readonly ended: Readonly<Record<string, number>>
  readonly hours: number
  /** For the first worker, of all runs. */
  readonly firstWait: Quantiles
  /** For a worker after a wait or a loss. */
  readonly laterWait: Quantiles
  /** Greatest p95 of the first waits of a tenant. */
  readonly worstTenantP95Ms: number
  readonly utilisation: number
  readonly modelCalls: number
  readonly refusedCalls: number
  readonly lostRuns: number
  readonly placements: number
  readonly facts: number
  /** Rules that the schedule broke. */
  readonly problems: readonly string[]
}

export interface Quantiles {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly maxMs: number
}

export class Tally {
  readonly problems: string[] = []
  facts = 0
  calls = 0
  refused = 0
  lost = 0
  busyMs = 0
  ended = 0
  readonly #slots: number
  readonly #ends: Record<string, number> = {}
  readonly #firstWaits = new Map<string, number[]>()
  readonly #laterWaits: number[] = []

  constructor(slots: number) {
    this.#slots = slots
  }

  waited(tenant: string, ms: number, isFirst: boolean): void {
    if (!isFirst) {
      this.#laterWaits.push(ms)
      return
    }
    const waits = this.#firstWaits.get(tenant) ?? []
    this.#firstWaits.set(tenant, waits)
    waits.push(ms)
  }

  endedFor(reason: string): void {
    this.#ends[reason] = (this.#ends[reason] ?? 0) + 1
    this.ended += 1
  }

  figures(nowMs: number): Figures {
    const first = [...this.#firstWaits.values()]
    return {
      ended: this.#ends,
      hours: nowMs / 3_600_000,
      firstWait: quantilesOf(first.flat()),
      laterWait: quantilesOf(this.#laterWaits),
      worstTenantP95Ms: Math.max(0, ...first.map((waits) => quantilesOf(waits).p95Ms)),
      utilisation: this.busyMs / (this.#slots * nowMs),
      modelCalls: this.calls,
      refusedCalls: this.refused,
      lostRuns: this.lost,
      placements: first.flat().length + this.#laterWaits.length,
      facts: this.facts,
      problems: this.problems,
    }
  }
}

export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((left, right) => left - right)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
  return { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) }
}
