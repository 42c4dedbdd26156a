/** Changes of a goal from outside of its turns: what can be asked for. */
import type { Awaited, CommandCheck, SubGoal, SubGoalBudget } from '../goal.ts'
import type { GoalEvent } from '../machine.ts'

export type GoalChange =
  /** Another goal takes the place of this one; its parts and what it has spent are its own. Checks stay. */
  | { readonly kind: 'replaced'; readonly goalId: string; readonly objective: string }
  | { readonly kind: 'objective-edited'; readonly objective: string }
  | {
      readonly kind: 'sub-goal-added'
      readonly subGoal: SubGoal
      /** Those of its checks that are new. */
      readonly checks: readonly CommandCheck[]
    }
  | {
      readonly kind: 'sub-goal-edited'
      readonly id: string
      readonly title?: string
      /** In place of the budget that it had. */
      readonly budget?: SubGoalBudget
    }
  /** The run found that its budget has no room for another step. */
  | { readonly kind: 'sub-goal-over-budget'; readonly id: string; readonly reason: string }
  | { readonly kind: 'checks-added'; readonly checks: readonly CommandCheck[] }
  | { readonly kind: 'paused'; readonly reason: string }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'cleared' }
  | {
      readonly kind: 'wait-began'
      readonly awaited: Awaited
      readonly expiresAtMs: number
      readonly reason: string
    }
  | { readonly kind: 'blocker-reported'; readonly blocker: string }
  | { readonly kind: 'progress-reported'; readonly progress: string }
  /** The drive says that it is done: the checks are asked at the end of its turn. */
  | { readonly kind: 'completion-requested' }

export interface GoalRequest {
  /** The goal that is meant. Null: whichever it is. */
  readonly goalId: string | null
  /** Who asks. */
  readonly by: string
  readonly change: GoalChange
}

/** What the drive calls itself as the author of a request. */
export const drivesRequests = 'the drive'

/** What a run calls itself where it changes its own goal. */
export const runsRequests = 'the run'

/** Largest numbers of one goal. */
export const maxSubGoals = 1000
export const maxAddedChecks = 100
/** In UTF-16 code units. */
export const maxObjectiveLength = 4000
export const maxTitleLength = 400

/** What each change is for the table of states. */
export const eventOfChange: Readonly<Record<GoalChange['kind'], GoalEvent>> = {
  replaced: 'set',
  'objective-edited': 'edited',
  'sub-goal-added': 'edited',
  'sub-goal-edited': 'edited',
  'sub-goal-over-budget': 'edited',
  'checks-added': 'edited',
  paused: 'paused',
  resumed: 'resumed',
  cleared: 'cleared',
  'wait-began': 'wait-began',
  'blocker-reported': 'blocker-reported',
  'progress-reported': 'goal-tool-completed',
  'completion-requested': 'goal-tool-completed',
}
