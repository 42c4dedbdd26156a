/** The run that was last over this folder, of whatever session. */
import type { EarlierRun } from './baseline.ts'
import type { RideParts } from './parts.ts'
import { snapshotOf } from './snapshot.ts'

/** Undefined: there is none that is over, or nobody can say any more how it ended. */
export async function latestElsewhere(
  { store, workFolder }: Pick<RideParts, 'store' | 'workFolder'>,
  ownKey: string,
): Promise<EarlierRun | undefined> {
  if (workFolder === null) return undefined
  for (const { key } of await store.hostSessions()) {
    const row = key === ownKey ? undefined : await store.hostSession(key)
    const snapshot = row?.latestSequence === row?.sequence ? snapshotOf(row?.snapshot ?? '') : undefined
    if (snapshot?.state.workFolder !== workFolder || snapshot.state.phase.kind !== 'stopped') continue
    return { state: snapshot.state, memory: snapshot.memory, session: 'other' }
  }
  return undefined
}
