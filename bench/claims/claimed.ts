/** Which recorded runs hold a claim. */
import { claimOf } from '../detectors/said-done/claims.ts'
import { isOracleStopped, type RecordedRun } from '@donecheck/engine/recordings'

/** Talks: the last answer is what the customer was told was done, whoever ended the talk. */
const talks: readonly string[] = ['tau-airline', 'tau2-activegraph']

export interface ClaimedRun {
  readonly run: RecordedRun
  /** By the ground truth of its source. */
  readonly isTrue: boolean
}

/** Undefined: there is no claim in it, or nobody knows whether it is true. */
export function claimedRun(run: RecordedRun): ClaimedRun | undefined {
  const { resolved } = run.outcome
  if (resolved === null || isOracleStopped(run)) return undefined
  const claimed = claimOf(run) === 'claimed' || (talks.includes(run.file) && endsWithAnswer(run))
  return claimed ? { run, isTrue: resolved } : undefined
}

function endsWithAnswer({ turns }: RecordedRun): boolean {
  const last = turns.at(-1)
  return last?.toolCalls.length === 0 && (last.text ?? '') !== ''
}
