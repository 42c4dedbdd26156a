/** What a detector did to a set of runs, counted: as for every policy, and how long it took to see a loop. */
import {
  endIn,
  policyFigures,
  replayOf,
  type End,
  type FigureScope,
  type PolicyFigures,
} from '@donecheck/engine/backtest'
import type { MeasuredRun } from './measured-run.ts'

/** A run ends in a loop where at least this many last calls brought nothing new. */
export const loopCalls = 5

export interface Figures extends PolicyFigures<MeasuredRun> {
  readonly newestResolved: number
  readonly newestKills: number
  /** Calls of the stretch that ran until its alarm, of the ended unresolved runs that stood in one. */
  readonly delays: readonly number[]
  /** Unresolved runs whose last calls, at least `loopCalls` of them, brought nothing new. */
  readonly looping: number
  readonly loopingEnded: number
}

export function figuresOf(
  runs: readonly MeasuredRun[],
  detector: string,
  options: FigureScope = {},
): Figures {
  const figures = policyFigures(runs, detector, options)
  const endOf = (run: MeasuredRun) => endIn(run, detector, options)
  const unresolved = runs.filter((run) => run.resolved === false)
  const looping = unresolved.filter(endsInLoop)
  return {
    ...figures,
    newestResolved: runs.filter(({ resolved, isNewest }) => resolved === true && isNewest).length,
    newestKills: figures.kills.filter(({ run }) => run.isNewest).length,
    delays: unresolved.flatMap((run) => delayOf(run, endOf(run))),
    looping: looping.length,
    loopingEnded: looping.filter((run) => endOf(run) !== undefined).length,
  }
}

function delayOf({ onsets }: MeasuredRun, end: End | undefined): readonly number[] {
  const onset = end === undefined ? undefined : onsets[end.atCall]
  return end === undefined || onset === undefined ? [] : [end.callsRun - onset]
}

function endsInLoop({ calls, onsets }: MeasuredRun): boolean {
  const onset = onsets.at(-1)
  return onset !== undefined && calls - onset >= loopCalls
}

/** Every rule that gave an alarm anywhere in the runs, sorted. */
export function rulesOf(runs: readonly MeasuredRun[], detector: string): readonly string[] {
  const rules = runs.flatMap((run) => {
    const { stop, veto, warnings, refusals } = replayOf(run, detector)
    return [stop?.rule, veto?.rule, ...warnings.keys(), ...refusals.keys()]
  })
  return [...new Set(rules)].filter((rule) => rule !== undefined).sort()
}
