import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'

/** What stands for the fingerprint of a tree that was never readable. */
export const unreadable = 'unreadable'

/** Takes the fingerprint of the work folder, where there is one. An interrupt alone may leave it without an event. */
export async function observe(session: Session, world: World): Promise<void> {
  if (world.workspace === null || world.signal.aborted) return
  const fingerprint = await takeFingerprint(session, world)
  if (fingerprint !== undefined) await session.tell({ type: 'workspace-observed', fingerprint })
}

/** A tree that cannot be read is taken for unchanged: what nobody saw proves nothing. Undefined: interrupted. */
async function takeFingerprint(session: Session, { workspace, signal }: World): Promise<string | undefined> {
  try {
    return await workspace?.fingerprint(signal)
  } catch {
    return signal.aborted ? undefined : (session.state.workspace.current ?? unreadable)
  }
}
