import type { RunState } from './state.ts'

type Counted = Pick<RunState, 'drive' | 'turn' | 'replies' | 'tally'>

/**
 * The number under which calls stand that were asked for at one time: the turn; where a drive calls its own tools many times
 * in a turn, the reply.
 */
export function batchOf({ drive, turn, replies }: Counted): number {
  return drive.ownsTools === true ? replies : turn
}

/** Of the first calls of the turn in progress, or of the last one. */
export function firstBatchOf(state: Counted): number {
  return state.drive.ownsTools === true ? state.replies - state.tally.replies + 1 : state.turn
}
