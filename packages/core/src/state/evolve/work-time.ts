/** Whose time it was that passed between two events. */
import type { RunEvent } from '../../events/index.ts'
import type { RunState } from '../state.ts'

/** Until this event: the time is nobody's. */
export function wasAsleep({ goal }: RunState, event: RunEvent): boolean {
  if (event.type === 'approval-given') return event.whileSuspended === true
  return event.type === 'run-resumed' || goal.waiting !== undefined
}

/** Somebody was at work until this event: the drive, a tool, a check. A sub-run counts its work itself. */
export function isWorking({ phase, subRuns, finalSummary }: RunState): boolean {
  if (finalSummary !== undefined && finalSummary.reply === undefined) return true
  if (phase.kind === 'acting')
    return subRuns.open.length === 0 && phase.pending.some(({ announcedAs }) => announcedAs !== undefined)
  return phase.kind === 'calling' || phase.kind === 'verifying'
}

export function withCheckTime(state: RunState, elapsedMs: number): RunState {
  if (state.phase.kind !== 'verifying' || elapsedMs <= 0) return state
  const currentMs = state.checkTime.currentMs + elapsedMs
  return { ...state, checkTime: { currentMs, maxMs: Math.max(currentMs, state.checkTime.maxMs) } }
}
