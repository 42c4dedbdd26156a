/** Whose untouched tree a run is compared with: what was done and not verified does not become untouched by asking again. */
import type { RunState } from '../events/index.ts'
import type { RideMemory } from './memory.ts'

export interface EarlierRun {
  readonly state: RunState
  readonly memory: RideMemory
  /**
   * `same`: of this session. `other`: the latest over this folder that was not of this session; in between anybody may have worked.
   */
  readonly session: 'same' | 'other'
  /** It was verified, and its host goes on with the same: what was agreed with is still the tree before it. */
  readonly isGoneOnWith?: true
}

/** @returns null: the tree is untouched as it is now */
export function baselineAfter(before: EarlierRun | undefined, now: RunState): string | null {
  if (before === undefined || !keepsBaseline(before, now)) return null
  const { state, memory } = before
  if (memory.baselineRunId !== null) return memory.baselineRunId
  return hasRemembered(state) ? state.runId : null
}

function keepsBaseline({ state, memory, session, isGoneOnWith }: EarlierRun, now: RunState): boolean {
  if (isGoneOnWith === true) return true
  const { phase, workspace } = state
  if (phase.kind !== 'stopped') return session === 'same'
  // What the agent did after its run was over belongs to nothing that was verified.
  if (phase.transition.outcome === 'verified') return session === 'same' && memory.workedAfterEnd
  if (isUntouched({ state, memory })) return false
  return (
    session === 'same' || (workspace.current !== undefined && workspace.current === now.workspace.current)
  )
}

/** Its turn left the tree as it was, and that tree was itself an untouched one. */
function isUntouched({ state, memory }: Pick<EarlierRun, 'state' | 'memory'>): boolean {
  const { phase, workspace } = state
  if (phase.kind !== 'stopped' || phase.transition.reason !== 'model_ended') return false
  if (memory.workedAfterEnd || memory.baselineRunId !== null || memory.promptTree === null) return false
  return phase.transition.verdicts.length === 0 && workspace.current === memory.promptTree
}

/** A guard has taken the snapshot that others can be compared with. */
function hasRemembered({ settings, checks }: RunState): boolean {
  return settings.verifiers.some(({ name, role }) => role === 'guard' && checks[name]?.baseline === 'passed')
}
