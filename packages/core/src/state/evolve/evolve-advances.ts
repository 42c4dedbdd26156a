/** Which calls and verdicts advance which parts of the goal: by the word of the tool, by where it wrote, by tests that fail no more. */
import type { GoalState, SubGoal } from '../../goal/index.ts'
import type { RunEvent } from '../../events/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'
import { pendingCallOf } from '../readings.ts'
import type { RunState } from '../state.ts'
import { editedPaths, looks } from '../activity/index.ts'

type Returned = Extract<RunEvent, { type: 'tool-returned' }>

/** @param state before the event */
export function withCallBooked(goal: GoalState, state: RunState, event: Returned): GoalState {
  if (goal.subGoals.length === 0) return goal
  const known = new Set(goal.subGoals.map(({ id }) => id))
  const said = (event.advances ?? []).filter((id) => known.has(id))
  const written =
    event.status === 'ok' && event.changed !== false ? partsWritten(goal, state, event.callId) : []
  const ids = [...new Set([...said, ...written])]
  if (ids.length === 0) {
    const hasAdvanced = goal.hasAdvanced || mayHaveWritten(state, event.callId)
    return { ...goal, hasAdvanced, idleCalls: goal.idleCalls + 1 }
  }
  return ids.reduce((next, id) => advanced(next, id, { calls: 1, tests: 0 }), goal)
}

/** @param state before the event */
export function withVerdictBooked(goal: GoalState, state: RunState, verdict: Verdict): GoalState {
  if (goal.subGoals.length === 0) return goal
  const before = state.checks[verdict.verifier]?.latest
  const isLast = state.phase.kind === 'verifying' && state.phase.awaiting.length <= 1
  const counted = isLast && goal.hasAdvanced ? { ...goal, hasAdvanced: false } : goal
  if (before === undefined || failingTests(verdict) >= failingTests(before)) return counted
  return goal.subGoals
    .filter(({ checks }) => checks.includes(verdict.verifier))
    .reduce((next, { id }) => advanced(next, id, { calls: 0, tests: 1 }), counted)
}

/**
 * Nothing that was done since the latest verification belongs to the goal, as far as its parts say: each part that is open says
 * which files are its own, and nobody wrote there.
 */
export function isIdleWork(
  { subGoals, hasAdvanced }: GoalState,
  isOpen: (subGoal: SubGoal) => boolean,
): boolean {
  const open = subGoals.filter((subGoal) => !subGoal.isProposed && isOpen(subGoal))
  return !hasAdvanced && open.length > 0 && open.every(({ paths = [] }) => paths.length > 0)
}

/** A check that does not pass and counts no tests is one failure. */
export function failingTests({ status, evidence }: Verdict): number {
  if (status === 'passed' || status === 'skipped') return 0
  const counts = evidence.flatMap((piece) => (piece.kind === 'tests' ? [piece.counts] : []))
  return Math.max(
    1,
    counts.reduce((sum, { failed, errored }) => sum + failed + errored, 0),
  )
}

function advanced(goal: GoalState, id: string, { calls, tests }: GoalState['advances'][string]): GoalState {
  const before = goal.advances[id] ?? { calls: 0, tests: 0 }
  const sum = { calls: before.calls + calls, tests: before.tests + tests }
  return { ...goal, hasAdvanced: true, advances: { ...goal.advances, [id]: sum } }
}

/** The call may have written files that its arguments do not name, as every command line may. */
function mayHaveWritten(state: RunState, callId: string): boolean {
  const pending = pendingCallOf(state, callId)
  if (pending === undefined) return false
  const { announcedAs, call } = pending
  const paths = editedPaths(call.tool, call.args, announcedAs)
  return paths === undefined ? !looks(call.tool, announcedAs, call.args) : paths.length === 0
}

function partsWritten({ subGoals }: GoalState, state: RunState, callId: string): readonly string[] {
  const parts = subGoals.filter(({ paths = [] }) => paths.length > 0)
  if (parts.length === 0) return []
  const pending = pendingCallOf(state, callId)
  if (pending === undefined) return []
  const { announcedAs, call } = pending
  const edited = editedPaths(call.tool, call.args, announcedAs) ?? []
  const written = edited.map((path) => withinFolder(path, state.workFolder))
  return parts
    .filter(({ paths = [] }) => paths.some((owned) => written.some((path) => belongsTo(path, owned))))
    .map(({ id }) => id)
}

function withinFolder(path: string, folder: string | null): string {
  const inside = folder !== null && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
  return inside.replace(/^(?:\.\/)+/, '')
}

function belongsTo(path: string, owned: string): boolean {
  const folder = owned.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
  return path === folder || path.startsWith(`${folder}/`)
}
