/** What the checks of a run did, caught, took and cost, and what somebody let pass by name. */
import type { RunEvent } from '@donecheck/core/events'
import type { Verdict } from '@donecheck/core/verdicts'
import type { CheckTotals, RunRow } from './row.ts'

export class CheckBook {
  readonly #checks = new Map<string, CheckTotals>()
  readonly #overrides = new Set<string>()
  readonly #waivers = new Set<string>()
  #isBaseline = false

  add(event: RunEvent): void {
    if (event.type === 'verification-started') this.#isBaseline = event.trigger === 'baseline'
    if (event.type === 'verdict-given') this.#book(event.verdict, this.#isBaseline)
    if (event.type === 'reply-judged') this.#book(event.verdict, false)
  }

  totals(): Pick<RunRow, 'checks' | 'overrides' | 'waivers'> {
    return {
      checks: [...this.#checks.values()],
      overrides: this.#overrides.size,
      waivers: this.#waivers.size,
    }
  }

  /** Each once in a run, however often it was said. */
  #bookNames({ evidence }: Verdict): void {
    for (const piece of evidence) {
      if (piece.kind === 'authority') this.#overrides.add(`${piece.by} ${piece.paths.join(' ')}`)
      if (piece.kind === 'finding' && piece.waiver !== undefined)
        this.#waivers.add(`${piece.waiver.by} ${piece.rule} ${piece.path ?? ''}`)
    }
  }

  #book(verdict: Verdict, isBaseline: boolean): void {
    const { verifier: name, status, qualifiers, durationMs, costUsd = 0 } = verdict
    this.#bookNames(verdict)
    if (status === 'skipped' || status === 'pending' || qualifiers.includes('cached')) return
    const before = this.#checks.get(name) ?? { name, runs: 0, failures: 0, flakes: 0, ms: 0, costUsd: 0 }
    this.#checks.set(name, {
      name,
      runs: before.runs + 1,
      failures: before.failures + (status === 'failed' && !isBaseline ? 1 : 0),
      flakes: before.flakes + (qualifiers.includes('flaky') ? 1 : 0),
      ms: before.ms + durationMs,
      costUsd: before.costUsd + costUsd,
    })
  }
}
