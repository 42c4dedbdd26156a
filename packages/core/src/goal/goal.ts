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
interface Blocker {
  readonly text: string
  readonly turns: number
  /** In the turn in progress. */
  readonly isReported: boolean
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

/** What can happen to a goal: each fact of a run that concerns it, and each request of a person, a program or the drive. */
export const goalEvents = [
  'set',
  'edited',
  'cleared',
  'paused',
  'resumed',
  'wait-began',
  'wait-ended',
  'blocker-reported',
  'turn-started',
  'tool-completed',
  'goal-tool-completed',
  'turn-finished',
  'aborted',
  'blocked',
  'usage-limited',
  'budget-limited',
  'completed',
] as const
export type GoalEvent = (typeof goalEvents)[number]

/** `same`: the status stays. `refused`: a request is answered with no; a fact of the run changes nothing. */
type Move = GoalStatus | 'same' | 'refused'

/** The rows that are the same for every status that work can go on from. */
const whileOpen = {
  set: 'active',
  cleared: 'paused',
  paused: 'paused',
  'tool-completed': 'same',
  'goal-tool-completed': 'same',
  'turn-finished': 'same',
  aborted: 'same',
  'usage-limited': 'usage-limited',
  'budget-limited': 'budget-limited',
  completed: 'complete',
} as const satisfies Partial<Record<GoalEvent, Move>>

/** No turn is in progress, and none begins before the goal is resumed. An edit alone does not wake it. */
const whileStopped = {
  ...whileOpen,
  edited: 'same',
  resumed: 'active',
  'wait-began': 'refused',
  'wait-ended': 'refused',
  'blocker-reported': 'refused',
  'turn-started': 'same',
  blocked: 'blocked',
} as const satisfies Record<GoalEvent, Move>

export const goalMoves: Readonly<Record<GoalStatus, Readonly<Record<GoalEvent, Move>>>> = {
  active: {
    ...whileOpen,
    edited: 'same',
    resumed: 'same',
    'wait-began': 'waiting',
    'wait-ended': 'refused',
    'blocker-reported': 'same',
    'turn-started': 'same',
    blocked: 'blocked',
  },
  // Whoever changes what is wanted, or goes on, no longer waits.
  waiting: {
    ...whileOpen,
    edited: 'active',
    resumed: 'active',
    'wait-began': 'waiting',
    'wait-ended': 'active',
    'blocker-reported': 'refused',
    'turn-started': 'active',
    blocked: 'blocked',
  },
  paused: { ...whileStopped, paused: 'same' },
  blocked: whileStopped,
  'usage-limited': whileStopped,
  // The budget goes before what a person may wish: a pause does not hide that it is spent.
  'budget-limited': { ...whileStopped, paused: 'same', cleared: 'same' },
  // The run is over: whoever wants more starts another.
  complete: {
    set: 'refused',
    edited: 'refused',
    cleared: 'refused',
    paused: 'refused',
    resumed: 'same',
    'wait-began': 'refused',
    'wait-ended': 'refused',
    'blocker-reported': 'refused',
    'turn-started': 'same',
    'tool-completed': 'same',
    'goal-tool-completed': 'same',
    'turn-finished': 'same',
    aborted: 'same',
    blocked: 'same',
    'usage-limited': 'same',
    'budget-limited': 'same',
    completed: 'same',
  },
}

/** The status after the event, and whether it was refused. */
export function moveGoal(
  status: GoalStatus,
  event: GoalEvent,
): { readonly status: GoalStatus; readonly isRefused: boolean } {
  const move = goalMoves[status][event]
  if (move === 'same' || move === 'refused') return { status, isRefused: move === 'refused' }
  return { status: move, isRefused: false }
}
