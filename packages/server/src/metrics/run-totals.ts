import type { Family } from './exposition.ts'
import { Counts, Distribution } from './totals.ts'
import type { RunRow } from '@donecheck/engine/insights'

type Figures = Pick<
  RunRow,
  'activeMs' | 'costUsd' | 'turns' | 'inputTokens' | 'cachedInputTokens' | 'outputTokens'
>

/** What the runs of a store add up to. Every end of a run counts, and of one that went on what it has used since. */
export class RunTotals {
  readonly #ends = new Counts()
  readonly #tokens = new Counts()
  readonly #seconds = new Distribution([1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400])
  readonly #dollars = new Distribution([0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100])
  readonly #turns = new Distribution([1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144])
  /** Up to their latest end. */
  readonly #counted = new Map<string, Figures>()
  readonly #open = new Set<string>()

  /** A row as it stands now. A part of another run is counted as that one's. */
  add(row: RunRow): void {
    if (row.isPart) return
    if (row.reason === null || row.outcome === null) this.goesOn(row.runId)
    else
      this.#end(row, {
        reason: row.reason,
        outcome: row.outcome,
        cap: row.cap ?? '',
        detector: row.detector ?? '',
      })
  }

  goesOn(runId: string): void {
    this.#open.add(runId)
  }

  #end(row: RunRow, how: Readonly<Record<'reason' | 'outcome' | 'cap' | 'detector', string>>): void {
    const { runId, activeMs, costUsd, turns, inputTokens, cachedInputTokens, outputTokens } = row
    this.#open.delete(runId)
    const before = this.#counted.get(runId)
    if (before?.activeMs === activeMs && before.turns === turns) return
    this.#ends.add(how)
    this.#seconds.add(Math.max(0, activeMs - (before?.activeMs ?? 0)) / 1000)
    this.#turns.add(Math.max(0, turns - (before?.turns ?? 0)))
    if (costUsd !== null) this.#dollars.add(Math.max(0, costUsd - (before?.costUsd ?? 0)))
    this.#tokens.add({ type: 'input' }, Math.max(0, inputTokens - (before?.inputTokens ?? 0)))
    this.#tokens.add(
      { type: 'cached_input' },
      Math.max(0, cachedInputTokens - (before?.cachedInputTokens ?? 0)),
    )
    this.#tokens.add({ type: 'output' }, Math.max(0, outputTokens - (before?.outputTokens ?? 0)))
    this.#counted.set(runId, { activeMs, costUsd, turns, inputTokens, cachedInputTokens, outputTokens })
  }

  families(): readonly Family[] {
    return [
      this.#ends.family('donecheck_runs_total', 'Runs that ended; one that was resumed counts for each end.'),
      this.#tokens.family(
        'donecheck_tokens_total',
        'Tokens of runs that ended; cached input is a part of the input.',
      ),
      this.#seconds.family('donecheck_run_duration_seconds', 'Active time of runs that ended.'),
      this.#dollars.family('donecheck_run_cost_usd', 'Cost of runs that ended and whose price is known.'),
      this.#turns.family('donecheck_run_turns', 'Turns of runs that ended.'),
      {
        ...{ name: 'donecheck_runs_open', type: 'gauge', help: 'Runs that have not ended.' },
        samples: [{ value: this.#open.size }],
      },
    ]
  }
}
