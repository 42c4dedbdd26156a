/** What the engine needs of the world for what is just to be done. */
import type { World } from '../run/index.ts'
import type { Engine } from './engine.ts'
import { hostDrive } from './host-drive.ts'
import type { Place } from './place.ts'

export interface Outside {
  readonly world: World
  readonly engine: Engine
}

export async function worldOf(place: Place, signal = place.signal): Promise<Outside> {
  const { doors, engine } = await place.world()
  const { session, parts, recorded } = place
  const world: World = {
    ...doors,
    drive: hostDrive(session.state.drive),
    tools: [],
    signal: AbortSignal.any([signal, parts.signal]),
    history: () => recorded,
  }
  return { world, engine }
}
