/** The run that was last over this folder, of whatever session. */
import { fold, type RunState } from '../events/index.ts'
import type { HostSessionEntry } from '../ports.ts'
import { hasBaseline, type EarlierRun } from './baseline.ts'
import { freshMemory } from './memory.ts'
import type { RideParts } from './parts.ts'
import { snapshotOf } from './snapshot.ts'

/** Undefined: there is none. One that is open counts: its agent may have been ended in the middle of it. */
export async function latestElsewhere(
  { store, workFolder }: Pick<RideParts, 'store' | 'workFolder'>,
  ownKey: string,
): Promise<EarlierRun | undefined> {
  if (workFolder === null) return undefined
  for (const session of await store.hostSessions()) {
    const found = session.key === ownKey ? undefined : await standingOf(session, store)
    // One that was broken off before anybody looked tells nothing of what was before it.
    if (found?.state.workFolder === workFolder && hasBaseline(found)) return { ...found, session: 'other' }
  }
  return undefined
}

/** Where what is remembered is of another version, or behind the record, that alone tells. */
async function standingOf(
  { key, runId }: HostSessionEntry,
  store: RideParts['store'],
): Promise<Pick<EarlierRun, 'state' | 'memory'> | undefined> {
  const row = await store.hostSession(key)
  const snapshot = row?.latestSequence === row?.sequence ? snapshotOf(row?.snapshot ?? '') : undefined
  if (snapshot !== undefined) return snapshot
  const state: RunState | undefined = fold(await store.read(runId))
  return state === undefined ? undefined : { state, memory: freshMemory }
}
