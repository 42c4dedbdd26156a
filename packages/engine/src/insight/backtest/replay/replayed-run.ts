/** What is kept of a run after every policy went over it: facts for the figures, no texts. */
import { dataSetOf, isCut, type RecordedRun } from '../../recordings/index.ts'
import { costsOf, tokensOf, type Step } from '../../recordings/index.ts'
import type { Watcher } from '../rules/watch.ts'
import { replay, type Replay } from './replay.ts'

export interface ReplayedRun {
  readonly id: string
  readonly dataSet: string
  /** It reached its goal, as its record says. Null: nobody knows. */
  readonly resolved: boolean | null
  /** A bound ended the record: what would have come after is not known. */
  readonly isCut: boolean
  readonly turns: number
  readonly calls: number
  readonly steps: number
  /** Prompt and output of each turn; undefined: the source does not say it for every turn. */
  readonly tokensByTurn: readonly number[] | undefined
  /** Dollars; undefined: nobody knows. */
  readonly costsByTurn: readonly number[] | undefined
  /** By the name of the policy. */
  readonly replays: ReadonlyMap<string, Replay>
}

/** `steps`: those of the run. */
export function replayRun(
  run: RecordedRun,
  steps: readonly Step[],
  watchers: readonly Watcher[],
): ReplayedRun {
  const costs = costsOf(run)
  return {
    id: run.id,
    dataSet: dataSetOf(run),
    resolved: run.outcome.resolved,
    isCut: isCut(run),
    turns: run.turns.length,
    calls: steps.filter(({ kind }) => kind === 'call').length,
    steps: steps.length,
    tokensByTurn: tokensOf(run.turns),
    costsByTurn: costs.length === 0 ? undefined : costs,
    replays: new Map(watchers.map((watcher) => [watcher.name, replay(watcher, steps)])),
  }
}

/** @throws TypeError the run was not replayed with that policy */
export function replayOf({ replays }: ReplayedRun, policy: string): Replay {
  const found = replays.get(policy)
  if (found === undefined) throw new TypeError(`the runs were not replayed with '${policy}'`)
  return found
}
