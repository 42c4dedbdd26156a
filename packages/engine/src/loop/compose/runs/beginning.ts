import type { SubGoal } from '@donecheck/core/goal'
import { assertKnownKeys, type OptionKeys } from '../../../base/index.ts'
import type { Beginning } from './agent-run.ts'

export interface RunOptions {
  /** Parts of the goal. Their checks are named among `hardVerifiers`. */
  readonly subGoals?: readonly SubGoal[]
}

const keys: OptionKeys<RunOptions> = { subGoals: true }

export function beginning(task: string, more: RunOptions): Beginning {
  assertKnownKeys(more, keys, 'run')
  const { subGoals = [] } = more
  return { kind: 'new', task, subGoals }
}
