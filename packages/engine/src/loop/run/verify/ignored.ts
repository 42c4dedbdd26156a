import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'

/** What the tree's fingerprint leaves out, as far as verdicts may rest on it. */
interface Watch {
  /** Right after the latest verification of this process; undefined before the first. */
  stamp: string | undefined
  /** Grows whenever something was changed that is not in the fingerprint, while no check was running. */
  generation: number
}

const watches = new WeakMap<Session, Watch>()

/** Stands for a stamp that could not be taken: it equals no other. */
let unknown = 0

/**
 * A part of the key of remembered verdicts: equal only while nobody but the checks themselves has touched what git ignores
 * (installed packages, builds, caches). Over several processes the stamp itself must be equal.
 */
export async function ignoredGeneration(session: Session, world: World): Promise<string> {
  const { cache, verdicts } = world.checking
  // Without a memory there is no key that it could be a part of.
  if (cache === 'off' || verdicts === null) return ''
  const stamp = await takeStamp(world)
  if (cache === 'store') return stamp
  const watch = watches.get(session) ?? { stamp: undefined, generation: session.state.sequence }
  if (watch.stamp !== stamp) watch.generation += 1
  watches.set(session, { ...watch, stamp })
  return `${session.runId}:${watch.generation}`
}

/** After the checks: what they wrote themselves is no reason to ask again. */
export async function noteIgnored(session: Session, world: World): Promise<void> {
  const watch = watches.get(session)
  if (watch !== undefined) watches.set(session, { ...watch, stamp: await takeStamp(world) })
}

async function takeStamp({ workspace, signal }: World): Promise<string> {
  unknown += 1
  if (workspace?.ignoredStamp === undefined) return workspace === null ? '' : 'not told'
  try {
    return await workspace.ignoredStamp(signal)
  } catch {
    return `unknown ${unknown}`
  }
}
