import type { SubGoal } from '@donecheck/core/goal'
import { assertKnownKeys, type OptionKeys } from '../../../base/index.ts'
import type { Beginning } from './agent-run.ts'

export interface RunOptions {
  /** Parts of the goal. Their checks are named among `hardVerifiers`. */
  readonly subGoals?: readonly SubGoal[]
  /** What stands at the end of the task and stays when the goal is worded anew: constraints, boundaries. Default: nothing. */
  readonly rules?: string
}

const keys: OptionKeys<RunOptions> = { subGoals: true, rules: true }

export function beginning(task: string, more: RunOptions): Beginning {
  assertKnownKeys(more, keys, 'run')
  const { subGoals = [], rules = '' } = more
  return { kind: 'new', task, subGoals, rules }
}
