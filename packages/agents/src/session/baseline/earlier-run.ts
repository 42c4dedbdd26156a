/** Whose baseline tree a run is compared with: what was done and not verified does not become untouched by asking again. */
import { type RunState, fold } from '@donecheck/core/state'
import type { HostSessionEntry } from '@donecheck/engine/ports/store'
import { type SessionMemory, freshMemory } from '../record/memory.ts'
import type { HostedSessionParts } from '../session-parts.ts'
import { snapshotOf } from '../record/snapshot.ts'

export interface EarlierRun {
  readonly state: RunState
  readonly memory: SessionMemory
  /** `same`: of this session. `other`: the latest over this folder that was not of this session. */
  readonly session: 'same' | 'other'
  /** It was verified, and its host goes on with the same: what was agreed with is still the tree before it. */
  readonly isGoneOnWith?: true
  /** Of another session, where that was at work later than this one. */
  readonly later?: EarlierRun
}

/**
 * A new session is no way out either: an agent can begin one, and so can whoever starts it again. Whether it or a person has
 * changed the tree in between nobody can tell, so only a verified end, or a person who says so, makes the tree as it is count.
 * @param agreedAtMs when a person last said what is to be checked, and with that, that the tree is as it should be. Undefined:
 *   they have no way to say so; then what another session has left counts only until the tree is another one.
 * @param now undefined: nobody has looked at the tree yet
 * @returns null: the tree is untouched as it is now
 */
export function baselineAfter(
  before: EarlierRun | undefined,
  now: RunState | undefined,
  agreedAtMs: number | undefined,
): string | null {
  if (before === undefined) return null
  if (!keepsBaseline(before, now, agreedAtMs)) return baselineAfter(before.later, now, agreedAtMs)
  const { state, memory } = before
  if (memory.baselineRunId !== null) return memory.baselineRunId
  return hasRemembered(state) ? state.runId : null
}

function keepsBaseline(
  before: EarlierRun,
  now: RunState | undefined,
  agreedAtMs: number | undefined,
): boolean {
  const { state, memory, session, isGoneOnWith } = before
  if (isGoneOnWith === true) return true
  if (agreedAtMs !== undefined && agreedAtMs > state.nowMs) return false
  const isOfOthers = session === 'other' && agreedAtMs === undefined
  if (isOfOthers && !isLeftAsItWas(state, now)) return false
  const { phase } = state
  if (phase.kind !== 'stopped') return true
  // What the agent did after its run was over belongs to nothing that was verified, nor do checks that it changed.
  if (phase.transition.outcome === 'verified') return memory.workedAfterEnd || hasOtherChecks(state)
  return !isUntouched({ state, memory })
}

function isLeftAsItWas({ phase, workspace }: RunState, now: RunState | undefined): boolean {
  return (
    phase.kind === 'stopped' &&
    workspace.current !== undefined &&
    workspace.current === now?.workspace.current
  )
}

/** The work folder has another check side than the one that it is compared with. */
function hasOtherChecks({ checks }: RunState): boolean {
  return Object.values(checks).some(
    ({ latest }) => latest?.tree === 'both-trees' || latest?.tree === 'independent-tree',
  )
}

/** Its turn left the tree as it was, and that tree was itself a baseline one. */
function isUntouched({ state, memory }: Pick<EarlierRun, 'state' | 'memory'>): boolean {
  const { phase, workspace } = state
  if (phase.kind !== 'stopped' || phase.transition.reason !== 'model_ended') return false
  if (memory.workedAfterEnd || memory.baselineRunId !== null || memory.promptTree === null) return false
  return phase.transition.verdicts.length === 0 && workspace.current === memory.promptTree
}

/** There is a tree that others can be compared with. */
function hasBaseline({ state, memory }: Pick<EarlierRun, 'state' | 'memory'>): boolean {
  return memory.baselineRunId !== null || hasRemembered(state)
}

/** A guard has taken the snapshot. */
function hasRemembered({ settings, checks }: RunState): boolean {
  return settings.verifiers.some(({ name, role }) => role === 'guard' && checks[name]?.baseline === 'passed')
}

/** For the person, where a session begins over a tree that is no more as another one has left it. */
export function baselineNotice(before: EarlierRun | undefined, now: RunState): string | undefined {
  const other = before?.session === 'other' ? before : before?.later
  if (other === undefined || other.state.workspace.current === now.workspace.current) return undefined
  return [
    'donecheck: the session before this one did not end as verified, and files have changed since.',
    'Tests and scripts of checks are still compared with the tree before it.',
    'If you have changed them yourself, install the hooks anew, with the checks named; then they count as they are now.',
  ].join(' ')
}

/** The run that was last over this folder, of whatever session. Undefined: there is none. One that is open counts: its agent may have been ended in the middle of it. */
export async function findRunElsewhere(
  { store, workFolder }: Pick<HostedSessionParts, 'store' | 'workFolder'>,
  ownKey: string,
): Promise<EarlierRun | undefined> {
  if (workFolder === null) return undefined
  for (const session of await store.hostSessions()) {
    const found = session.key === ownKey ? undefined : await readStoredRun(session, store)
    // One that was broken off before anybody looked tells nothing of what was before it.
    if (found?.state.workFolder === workFolder && hasBaseline(found)) return { ...found, session: 'other' }
  }
  return undefined
}

/** Where what is remembered is of another version, or behind the record, that alone tells. */
async function readStoredRun(
  { key, runId }: HostSessionEntry,
  store: HostedSessionParts['store'],
): Promise<Pick<EarlierRun, 'state' | 'memory'> | undefined> {
  const row = await store.hostSession(key)
  const snapshot = row?.latestSequence === row?.sequence ? snapshotOf(row?.snapshot ?? '') : undefined
  if (snapshot !== undefined) return snapshot
  const state: RunState | undefined = fold(await store.read(runId))
  return state === undefined ? undefined : { state, memory: freshMemory }
}
