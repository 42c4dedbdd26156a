/** What a detector did to a set of runs, counted: as for every policy, and those of the newest models apart. */
import { policyFigures, type PolicyFigures } from '@donecheck/engine/backtest'
import type { MeasuredRun } from './measured-run.ts'

export interface Figures extends PolicyFigures<MeasuredRun> {
  readonly newestResolved: number
  readonly newestKills: number
}

/** Runs end at the first stop; a call that was refused before is saved. */
export function figuresOf(runs: readonly MeasuredRun[], detector: string): Figures {
  const figures = policyFigures(runs, detector)
  return {
    ...figures,
    newestResolved: runs.filter(({ resolved, isNewest }) => resolved === true && isNewest).length,
    newestKills: figures.kills.filter(({ run }) => run.isNewest).length,
  }
}
