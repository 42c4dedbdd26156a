import type { RunEvent } from '../events/index.ts'
import type { Session } from '../run/index.ts'
import type { RideMemory } from './memory.ts'
import type { RideParts, RideWorld } from './parts.ts'

/** Where one event of the host is taken up: the run as it stands, and what may be done about it. */
export interface Place {
  readonly parts: RideParts
  readonly session: Session
  /** As it will be kept with the next facts. */
  memory: RideMemory
  /** What was recorded while this event was taken up. */
  readonly recorded: RunEvent[]
  /** Aborts a verification. */
  readonly signal: AbortSignal
  world(): Promise<RideWorld>
}

/** For the few facts that change nothing in the run. */
export function remember(place: Place, memory: Partial<RideMemory>): void {
  place.memory = { ...place.memory, ...memory }
}
