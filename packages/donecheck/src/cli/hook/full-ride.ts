/** The ride with everything that a verification needs: what the configuration says, read in full. */
import { parseConfig } from '../../config/index.ts'
import type { RunEvent } from '../../events/index.ts'
import { createRide, placesOf, type Ride } from '../../ride/index.ts'
import { openSqliteStore } from '../../store/index.ts'
import { judgingOptions } from '../judging-options.ts'
import { recipeOf } from '../recipe.ts'
import { hookGate } from './gate.ts'
import { choicesOf, untouchableFor, type HookRequest } from './request.ts'

export interface FullRide {
  readonly ride: Ride
  readonly close: () => Promise<void>
}

/** @throws {UsageError} for a configuration that cannot be meant */
export async function fullRide(
  request: HookRequest,
  onEvent: (event: RunEvent) => void = () => undefined,
): Promise<FullRide> {
  const { workFolder, storeFolder, rideFile, homeFolder, environment, sessionId, call } = request
  const config = parseConfig(request.configuration.config, rideFile)
  const store = openSqliteStore({ folder: storeFolder })
  const io = { environment, homeFolder }
  const { agent } = call.protocol
  const keepUntouched = untouchableFor(request)
  const ride = await createRide({
    ...(await judgingOptions({ config, workFolder, store, io })),
    ...choicesOf(request),
    agent,
    sessionId,
    keepUntouched,
    gate: await hookGate(request, placesOf(keepUntouched, workFolder, homeFolder), 'command', config),
    recipe: { ride: { agent, sessionId, config: recipeOf(config) } },
    onEvent,
  })
  return { ride, close: () => store.close() }
}
