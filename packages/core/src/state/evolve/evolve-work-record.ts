import { canonicalJson } from '../../base/index.ts'
import type { RunEvent } from '../../events/index.ts'
import { pendingCallOf, traitsOf } from '../readings.ts'
import type { RunState } from '../state.ts'
import { deedsOf, isEditing } from '../work-record/deeds.ts'
import { noWorkRecord, withRanCall, withTreeSeen, type WorkRecord } from '../work-record/work-record.ts'

/** @param state before the event */
export function evolveWorkRecord(state: RunState, event: RunEvent): WorkRecord {
  const { workRecord, phase, workspace } = state
  switch (event.type) {
    // What was done for another task proves nothing of this one.
    case 'goal-set':
      return { ...noWorkRecord, treeSeen: event.sequence }
    case 'tool-returned':
      return returned(state, event)
    case 'workspace-observed': {
      const isDrives = phase.kind === 'judging' && phase.verifiedBy === undefined
      return withTreeSeen(workRecord, event.sequence, isDrives && event.fingerprint !== workspace.current)
    }
    default:
      return workRecord
  }
}

function returned(state: RunState, event: Extract<RunEvent, { type: 'tool-returned' }>): WorkRecord {
  const { workRecord } = state
  const pending = pendingCallOf(state, event.callId)
  if (pending === undefined) return workRecord
  const { tool, args } = pending.call
  const { readOnly, mutating } = traitsOf(state, tool) ?? {}
  const effect = readOnly === true ? 'read' : mutating === true ? 'write' : pending.announcedAs
  const failed = event.status === 'ok' ? false : event.status === 'error' ? true : undefined
  return withRanCall(workRecord, {
    sequence: event.sequence,
    deeds: deedsOf(tool, args, effect),
    failed,
    output: event.output,
    argsText: workRecord.openRuns.length === 0 ? '' : canonicalJson(args),
    changedNothing: event.changed === false || (failed === true && isEditing(tool, effect)),
  })
}
