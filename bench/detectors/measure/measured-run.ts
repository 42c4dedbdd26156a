/** What is kept of a run after every detector went over it: facts for the figures, no texts. */
import type { Detector, Step } from '../detector.ts'
import { claimOf, type Claim } from '../said-done/claims.ts'
import { dataSetOf, isOracleStopped, type RecordedRun } from '../trajectories/recorded-run.ts'
import { halfOf, type Half } from '../trajectories/split.ts'
import { isNewestModel } from './newest-models.ts'
import { onsetsOf } from './onset.ts'
import { replay, type Replay } from './replay.ts'

export interface MeasuredRun {
  readonly id: string
  readonly file: string
  readonly dataSet: string
  readonly half: Half
  readonly isOracleStopped: boolean
  readonly model: string | null
  readonly isNewest: boolean
  /** Null: the ground truth is not known; such runs count nowhere. */
  readonly resolved: boolean | null
  readonly calls: number
  readonly steps: number
  /** Prompt and output of each turn; undefined: the source does not say it for every turn. */
  readonly tokensByTurn: readonly number[] | undefined
  readonly onsets: readonly (number | undefined)[]
  /** Whether the agent ended by itself and said that it is done. */
  readonly claim: Claim
  readonly replays: ReadonlyMap<string, Replay>
}

/** `steps`: those of the run. */
export function measureRun(
  run: RecordedRun,
  steps: readonly Step[],
  detectors: readonly Detector[],
): MeasuredRun {
  const calls = steps.filter((step) => step.kind === 'call')
  return {
    id: run.id,
    file: run.file,
    dataSet: dataSetOf(run),
    half: halfOf(run.id),
    isOracleStopped: isOracleStopped(run),
    model: run.model,
    isNewest: isNewestModel(run.model),
    resolved: run.outcome.resolved,
    calls: calls.length,
    steps: steps.length,
    tokensByTurn: tokensByTurnOf(run),
    onsets: onsetsOf(calls),
    claim: claimOf(run),
    replays: new Map(detectors.map((detector) => [detector.name, replay(detector, steps)])),
  }
}

function tokensByTurnOf({ turns }: RecordedRun): readonly number[] | undefined {
  const spent: number[] = []
  for (const { tokens } of turns) {
    if (tokens?.in == null || tokens.out == null) return undefined
    spent.push(tokens.in + tokens.out)
  }
  return spent
}
