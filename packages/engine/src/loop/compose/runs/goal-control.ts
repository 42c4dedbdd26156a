import { fold, hasPassed, type RunState } from '@donecheck/core/internal/state'
import {
  changeGoal,
  problemOfChange,
  progressOf,
  statusesOf,
  type GoalChange,
  type GoalProgress,
  type GoalRequest,
  type GoalState,
  type SubGoal,
  type SubGoalStatus,
} from '@donecheck/core/internal/goal'
import { UsageError } from '../../../base/index.ts'
import type { KeptGoalRequest, Store } from '../../../ports/store.ts'

export interface GoalReport {
  readonly runId: string
  readonly objective: string
  readonly goal: GoalState
  readonly subGoals: readonly (SubGoal & { readonly status: SubGoalStatus })[]
  readonly progress: GoalProgress
  /** Open requests: the run reads them at its next boundary, or when it is resumed. */
  readonly unanswered: readonly GoalRequest[]
  /** Whether the record shows no process working on the run. */
  readonly hasStopped: boolean
}

interface ChangeOptions {
  /** Who asks, for the record. Default: `a program`. */
  readonly by?: string
  /** Refuses the change if another goal is active by then. Default: any goal. */
  readonly goalId?: string
}

export interface GoalControl {
  /** @throws {UsageError} if the run is not in the store */
  show(runId: string): Promise<GoalReport>
  /** @throws {UsageError} if the current goal does not allow the change; nothing is requested then */
  change(runId: string, change: GoalChange, options?: ChangeOptions): Promise<void>
}

type Records = Pick<Store, 'place' | 'read' | 'goalRequests' | 'keepGoalRequest'>

export function goalControl(store: Records): GoalControl {
  return {
    async show(runId) {
      const state = await stateOf(store, runId)
      const { goal } = state
      const statuses = statusesOf(goal, hasPassed(state))
      const requests = await store.goalRequests(runId, goal.answeredRequest)
      return {
        runId,
        objective: state.task,
        goal,
        subGoals: goal.subGoals.map((subGoal) => ({
          ...subGoal,
          status: statuses.get(subGoal.id) ?? 'open',
        })),
        progress: progressOf(goal, hasPassed(state)),
        unanswered: requests.map(({ request }) => request),
        hasStopped: state.phase.kind === 'stopped',
      }
    },
    async change(runId, change, { by = 'a program', goalId = null } = {}) {
      const state = await stateOf(store, runId)
      const request: GoalRequest = { goalId, by, change }
      const requests = await store.goalRequests(runId, state.goal.answeredRequest)
      const problem = problemAfter(state, requests, request)
      if (problem !== undefined) throw new UsageError(problem)
      await store.keepGoalRequest(runId, request, state.goal.answeredRequest)
    },
  }
}

function problemAfter(
  { goal, settings, sequence }: RunState,
  waiting: readonly KeptGoalRequest[],
  request: GoalRequest,
): string | undefined {
  let after = goal
  const names = settings.verifiers.map(({ name }) => name)
  for (const { request: earlier } of waiting) {
    if (problemOfChange(after, earlier, names) !== undefined) continue
    after = changeGoal(after, earlier.change, sequence, earlier.by)
    names.push(...('checks' in earlier.change ? earlier.change.checks.map(({ name }) => name) : []))
  }
  return problemOfChange(after, request, names)
}

async function stateOf(store: Records, runId: string): Promise<RunState> {
  const state = fold(await store.read(runId))
  if (state === undefined) throw new UsageError(`there is no run ${runId} in ${store.place}`)
  return state
}
