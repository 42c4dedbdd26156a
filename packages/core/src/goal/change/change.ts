/** Changes of a goal from outside of its turns: who asks, how much, and what each is for the table of states. */
import type { GoalEvent } from '../machine.ts'
import type { GoalChange } from '../shapes.ts'

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
export const maxMessageLength = 200_000

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
  'message-given': 'edited',
  'completion-requested': 'goal-tool-completed',
}
