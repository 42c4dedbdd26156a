import { Counts, Distribution, type Family, type Labels } from './exposition.ts'
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
    const { runId, reason, outcome, cap, detector } = row
    if (reason === null || outcome === null) this.goesOn(runId)
    else this.#end(runId, row, { reason, outcome, cap: cap ?? '', detector: detector ?? '' })
  }

  goesOn(runId: string): void {
    this.#open.add(runId)
  }

  #end(runId: string, figures: Figures, how: Labels): void {
    const { activeMs, costUsd, turns, inputTokens, cachedInputTokens, outputTokens } = figures
    this.#open.delete(runId)
    const before = this.#counted.get(runId)
    if (before?.activeMs === activeMs && before.turns === turns) return
    const since = (name: keyof Figures) => Math.max(0, (figures[name] ?? 0) - (before?.[name] ?? 0))
    this.#ends.add(how)
    this.#seconds.add(since('activeMs') / 1000)
    this.#turns.add(since('turns'))
    if (costUsd !== null) this.#dollars.add(since('costUsd'))
    this.#tokens.add({ type: 'input' }, since('inputTokens'))
    this.#tokens.add({ type: 'cached_input' }, since('cachedInputTokens'))
    this.#tokens.add({ type: 'output' }, since('outputTokens'))
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
