import type { HostAnswer, HostEvent } from '../../agents/index.ts'
import { openRideStore } from '../../store/index.ts'
import { fastRide } from './fast-ride.ts'
import { NeedsMore } from './needs-more.ts'
import type { HookRequest } from './request.ts'

/**
 * The store is left open: to close it would sort everything into its main file, which is for a process with more time.
 * @returns undefined: it needs more
 */
export async function quickly(event: HostEvent, request: HookRequest): Promise<HostAnswer | undefined> {
  const store = openRideStore({ folder: request.storeFolder })
  try {
    return await fastRide(request, store).observe(event)
  } catch (error) {
    if (!(error instanceof NeedsMore)) throw error
    // Whoever takes over opens the store anew.
    await store.close()
    return undefined
  }
}
