/** The list of recent calls that both profiles keep, and how an ending finds its call. */
import type { CallIds, LoopRecord, LoopState, Outcome, ToolUse } from './records.ts'
import { trimmed } from './values.ts'

export function emptyState(): LoopState {
  return { history: [] }
}

/** Drops the oldest calls beyond `size`. */
export function append(state: LoopState, record: LoopRecord, size: number): void {
  state.history.push(record)
  if (state.history.length > size) state.history.splice(0, state.history.length - size)
}

export function recordOf(use: ToolUse, argsHash: string, { toolCallId, runId }: CallIds): LoopRecord {
  return { toolName: use.toolName, argsHash, toolCallId, runId: trimmed(runId), outcome: undefined }
}

/**
 * Gives the outcome to the newest call of the same run, tool and arguments that has none, and of the same id if one is given.
 * Where there is none, the call is added with it.
 */
export function settle(state: LoopState, settled: LoopRecord, outcome: Outcome, size: number): void {
  const { toolName, argsHash, toolCallId, runId } = settled
  const hasId = toolCallId !== undefined && toolCallId !== ''
  const pending = state.history.findLast(
    (record) =>
      record.outcome === undefined &&
      record.runId === runId &&
      record.toolName === toolName &&
      record.argsHash === argsHash &&
      (!hasId || record.toolCallId === toolCallId),
  )
  if (pending === undefined) append(state, { ...settled, outcome }, size)
  else pending.outcome = outcome
}

/** Calls of one run; a blank run and an absent one are the same. */
export function ofRun(state: LoopState, runId: string | undefined): readonly LoopRecord[] {
  const wanted = trimmed(runId)
  return state.history.filter((record) => record.runId === wanted)
}

export function callsOf(history: readonly LoopRecord[], { toolName, argsHash }: Target): number {
  return history.filter((record) => record.toolName === toolName && record.argsHash === argsHash).length
}

/** The call that is about to run. */
export interface Target {
  readonly toolName: string
  readonly argsHash: string
}
