/** The states of a goal: one table of status and event, total. */
import type { GoalStatus } from './goal.ts'

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
