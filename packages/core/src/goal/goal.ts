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

export interface GoalSpent {
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
  /** Null once one call had no known price. */
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

/** What the agent reports as blocking it, and for how many consecutive turns. */
interface Blocker {
  readonly text: string
  readonly turns: number
  readonly isReported: boolean
}

export interface GoalState {
  /** New for every goal, so a change with another id targets another goal. */
  readonly id: string
  /** Ids of replaced goals; none of them returns. */
  readonly formerIds: readonly string[]
  readonly revision: number
  readonly status: GoalStatus
  readonly reason: string
  readonly basedOn: readonly number[]
  readonly subGoals: readonly SubGoal[]
  readonly addedChecks: readonly CommandCheck[]
  readonly unaskedChecks: readonly string[]
  readonly spent: GoalSpent
  /** The part charged for the current or last turn: the next part when that turn started. */
  readonly chargedSubGoal: string | undefined
  readonly spentOnSubGoals: Readonly<Record<string, GoalSpent>>
  /** Parts without budget for another step; work on them stops until it is raised. */
  readonly overBudget: readonly string[]
  /** The agent's latest progress report, unverified. */
  readonly reportedProgress: string
  readonly waiting: Waiting | undefined
  readonly blocker: Blocker | undefined
  /** Number of the latest answered request from outside. */
  readonly answeredRequest: number
  /** `untold`: the agent was not told. `told`: not called since. `message`: only a user message. */
  readonly news: 'none' | 'message' | 'untold' | 'told'
  readonly changedParts: readonly string[]
  /** Constraints, boundaries and stop rules that outlive rewording. They end the task. */
  readonly rules: string
  readonly agentWaits: number
  /** The goal was cleared, so the run pauses until another one is set. */
  readonly isCleared: boolean
}

export const noParts = {
  subGoals: [],
  chargedSubGoal: undefined,
  spentOnSubGoals: {},
  overBudget: [],
  reportedProgress: '',
} as const satisfies Partial<GoalState>

export function firstGoal(id: string, subGoals: readonly SubGoal[], rules = ''): GoalState {
  return {
    id,
    formerIds: [],
    revision: 1,
    status: 'active',
    reason: '',
    basedOn: [],
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
    agentWaits: 0,
    isCleared: false,
  }
}

/** Every fact of a run that concerns its goal, and every request. */
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

/** `same`: the status stays. `refused`: a request is denied, or a fact of the run changes nothing. */
type Move = GoalStatus | 'same' | 'refused'

/** Shared rows of every status in which work can continue. */
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

/** No turn starts before the goal is resumed; an edit alone does not resume it. */
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
  // Changing or resuming the goal ends the wait.
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
  // A pause must not hide that the budget is spent.
  'budget-limited': { ...whileStopped, paused: 'same', cleared: 'same' },
  // The run is over; a new goal needs a new run.
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

/** Returns the status after the event, and whether the event was refused. */
export function moveGoal(
  status: GoalStatus,
  event: GoalEvent,
): { readonly status: GoalStatus; readonly isRefused: boolean } {
  const move = goalMoves[status][event]
  if (move === 'same' || move === 'refused') return { status, isRefused: move === 'refused' }
  return { status: move, isRefused: false }
}
