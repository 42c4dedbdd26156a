/** The ride with everything that a verification needs: what the configuration says, read in full. */
import { parseConfig } from '../../config/index.ts'
import type { RunEvent } from '../../events/index.ts'
import { createRide, placesOf, type Ride } from '../../ride/index.ts'
import { openSqliteStore } from '../../store/index.ts'
import { judgingOptions } from '../judging-options.ts'
import { recipeOf } from '../recipe.ts'
import { hookGate } from './gate.ts'
import { agreedAtMsOf, assertRecordStands, noteRecord } from './known-store.ts'
import { choicesOf, untouchableFor, type HookRequest } from './request.ts'

export { judgedAlone } from './judged-alone.ts'
export { whoSits } from './who-sits.ts'
export { isWithinCheck } from '../../process/index.ts'

export interface FullRide {
  readonly ride: Ride
  readonly close: () => Promise<void>
}

/**
 * @throws {UsageError} for a configuration that cannot be meant
 * @throws {StoreError} for a record that cannot be used, or was taken away
 */
export async function fullRide(
  request: HookRequest,
  onEvent: (event: RunEvent) => void = () => undefined,
): Promise<FullRide> {
  const { workFolder, storeFolder, rideFile, homeFolder, environment, sessionId, call } = request
  const config = parseConfig(request.configuration.config, rideFile)
  const store = openSqliteStore({ folder: storeFolder })
  await assertRecordStands(request, store).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const io = { environment, homeFolder }
  const { agent } = call.protocol
  const keepUntouched = untouchableFor(request)
  const ride = await createRide({
    ...(await judgingOptions({ config, workFolder, store, io })),
    ...choicesOf(request),
    agent,
    sessionId,
    keepUntouched,
    agreedAtMs: agreedAtMsOf(request),
    gate: await hookGate(request, placesOf(keepUntouched, workFolder, homeFolder), 'command', config),
    recipe: { ride: { agent, sessionId, config: recipeOf(config) } },
    onEvent,
  })
  return {
    ride,
    async close() {
      await store.close()
      if (ride.state !== undefined) noteRecord(request)
    },
  }
}
