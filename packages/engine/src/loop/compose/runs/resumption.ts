import { assertKnownKeys, type OptionKeys } from '../../../base/index.ts'
import type { Beginning } from './open-run.ts'
import { assertTopUp, type TopUp } from '../options/hard-cap.ts'
import type { SubGoal } from '@donecheck/core/goal'

export interface ResumeOptions {
  /**
   * More budget, on top of the caps that the run was started with. A run that ended at a cap goes on when this lifts it.
   */
  readonly topUp?: TopUp
  /** Who gives it, for the record. Default: `the program that resumed it`. */
  readonly by?: string
}

const resumeKeys: OptionKeys<ResumeOptions> = { topUp: true, by: true }

/** @throws {UsageError} for an amount that is not a positive number */
export function resumption(runId: string, more: ResumeOptions): Beginning {
  assertKnownKeys(more, resumeKeys, 'resume')
  const { topUp, by } = more
  if (topUp === undefined) return { kind: 'resume', runId }
  assertTopUp(topUp)
  return { kind: 'resume', runId, topUp: { by: by ?? 'the program that resumed it', added: topUp } }
}

export interface RunOptions {
  /** Parts of the goal. Their checks are named among `hardVerifiers`. */
  readonly subGoals?: readonly SubGoal[]
  /** What stands at the end of the task and stays when the goal is worded anew: constraints, boundaries. Default: nothing. */
  readonly rules?: string
  /** For whoever must know it beforehand; refused where there is such a run. Default: a new one. */
  readonly runId?: string
}

const keys: OptionKeys<RunOptions> = { subGoals: true, rules: true, runId: true }

export function beginning(task: string, more: RunOptions): Beginning {
  assertKnownKeys(more, keys, 'run')
  const { subGoals = [], rules = '', runId } = more
  return { kind: 'new', task, subGoals, rules, ...(runId === undefined ? {} : { as: { runId } }) }
}
