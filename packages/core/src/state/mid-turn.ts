import type { RunState } from './state.ts'

/** The drive works with its own tools and has not ended its turn: its next reply is a step of the same turn. */
export function isMidTurn({ drive, phase, lastReplyFinish, turnOpen }: RunState): boolean {
  return drive.ownsTools === true && phase.kind === 'judging' && turnOpen && lastReplyFinish === 'tool-calls'
}
