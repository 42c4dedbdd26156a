/** What is wanted of a run: one goal at a time, with parts, each of which only its checks can close. */
import type { CommandCheck, SubGoal, Waiting } from './shapes.ts'

export const goalStatuses = [
  'active',
  'waiting',
  'paused',
  'blocked',
  'usage-limited',
  'budget-limited',
  'complete',
] as const
export type GoalStatus = (typeof goalStatuses)[number]

/** What a goal or a part of it has used. Sub-runs are part of it. */
export interface GoalSpent {
  readonly inputTokens: number
  /** Of the input. */
  readonly cachedInputTokens: number
  readonly outputTokens: number
  /** Null as soon as one call had no known price. */
  readonly costUsd: number | null
  readonly activeMs: number
  readonly turns: number
}

export const nothingSpent: GoalSpent = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  activeMs: 0,
  turns: 0,
}

/** What the drive says stands in its way, and in how many turns in a row it has said so. */
export interface Blocker {
  readonly text: string
  readonly turns: number
  /** In the turn in progress. */
  readonly isReported: boolean
}

/** What has advanced a part. */
export interface Advances {
  /** Calls whose tool says so, or that wrote where the part is. */
  readonly calls: number
  /** Verdicts of its checks with fewer failing tests than before. */
  readonly tests: number
}

export interface GoalState {
  /** New for every goal: whoever writes with another one means another goal. */
  readonly id: string
  /** Of the goals of this run that it has replaced: none of them comes back. */
  readonly formerIds: readonly string[]
  /** Grows with every change. */
  readonly revision: number
  readonly status: GoalStatus
  /** Why it stands so, one sentence for a person. */
  readonly reason: string
  /** Sequence numbers of the events that the status rests on. */
  readonly restsOn: readonly number[]
  readonly subGoals: readonly SubGoal[]
  /** Checks that came after the start of the run. */
  readonly addedChecks: readonly CommandCheck[]
  /** Of them: no verdict has been given yet. */
  readonly unaskedChecks: readonly string[]
  readonly spent: GoalSpent
  /** The part that the turn in progress, or the last one, is charged to: the one that was next when it began. */
  readonly chargedSubGoal: string | undefined
  /** By id. */
  readonly spentOnSubGoals: Readonly<Record<string, GoalSpent>>
  /** Ids of parts whose budget has no room for another step: nobody works at them until it is raised. */
  readonly overBudget: readonly string[]
  /** By id of the part. */
  readonly advances: Readonly<Record<string, Advances>>
  /** Calls of the drive that advanced no part, as far as anybody knows: they are charged all the same. */
  readonly idleCalls: number
  /** A part was advanced since the latest complete verification, or may have been: nobody knows what a program wrote. */
  readonly hasAdvanced: boolean
  /** What the drive said of its progress last; nobody has checked it. */
  readonly reportedProgress: string
  /** Present while its status is `waiting`. */
  readonly waiting: Waiting | undefined
  readonly blocker: Blocker | undefined
  /** Number of the latest request from outside that was answered. */
  readonly answeredRequest: number
  /**
   * `untold`: it was changed, and the drive has not been told; `told`: it has been, and was not asked since. `message`: only a
   * person has said something, and the drive was not asked since.
   */
  readonly news: 'none' | 'message' | 'untold' | 'told'
  /** Ids of parts that were added or changed since the drive was told last. */
  readonly changedParts: readonly string[]
  /** What holds whatever the goal is worded like: constraints, boundaries, when to stop. It stands at the end of the task. */
  readonly rules: string
  /** Waits that the drive asked for. */
  readonly driveWaits: number
  /** Nothing is wanted any more: the run does not go on before another goal is set. */
  readonly isCleared: boolean
}

/** What is known of the parts of a goal that has none. */
export const noParts = {
  subGoals: [],
  chargedSubGoal: undefined,
  spentOnSubGoals: {},
  overBudget: [],
  advances: {},
  idleCalls: 0,
  hasAdvanced: false,
  reportedProgress: '',
} as const satisfies Partial<GoalState>

/** The goal of a run that begins. */
export function firstGoal(id: string, subGoals: readonly SubGoal[], rules = ''): GoalState {
  return {
    id,
    formerIds: [],
    revision: 1,
    status: 'active',
    reason: '',
    restsOn: [],
    ...noParts,
    subGoals,
    addedChecks: [],
    unaskedChecks: [],
    spent: nothingSpent,
    waiting: undefined,
    blocker: undefined,
    answeredRequest: 0,
    news: 'none',
    changedParts: [],
    rules,
    driveWaits: 0,
    isCleared: false,
  }
}
