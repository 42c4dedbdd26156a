/** The checks of a session, which most calls of tools need not load. */
import { hasKnownRecord, agentSessionParts, type AgentSessionParts } from '@donecheck/agents/internal/session'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { StoreError } from '@donecheck/engine/internal/base'
import { parseConfig } from '../../config/index.ts'
import { recipeOf } from '../settings/recipe.ts'
import { judgedOptions } from '../wiring/judging/judging-options.ts'
import { choicesOf, ownPlacesOf, type HookRequest } from './request.ts'

/** @throws {UsageError} for an invalid configuration @throws {StoreError} if the record was removed */
export async function loadChecks(
  request: HookRequest,
  store: Store,
  agreedAtMs: number,
): Promise<Pick<AgentSessionParts, 'world'>> {
  const { workFolder, sessionFile, homeFolder, environment, sessionId, call } = request
  const config = parseConfig(request.configuration.config, sessionFile)
  await assertRecordStands(request, store, agreedAtMs)
  const io = { environment, homeFolder }
  const { agent } = call.protocol
  return agentSessionParts({
    ...(await judgedOptions({ config, workFolder, store, io }, false)),
    ...choicesOf(request),
    ...{ agent, sessionId, agreedAtMs },
    keepUntouched: ownPlacesOf(request),
    recipe: { agentSession: { agent, sessionId, config: recipeOf(config) } },
  })
}

/** @throws {StoreError} if earlier sessions were on record and none is any more */
async function assertRecordStands(request: HookRequest, store: Store, agreedAtMs: number): Promise<void> {
  if (!hasKnownRecord(request, agreedAtMs)) return
  const { call, sessionId } = request
  if ((await store.hostSession(`${call.protocol.agent}/${sessionId}`)) !== undefined) return
  if ((await store.hostSessions()).length > 0) return
  throw new StoreError(
    store.place,
    'it held sessions of agents, and is empty now: what was to be compared with is gone; whoever took it away on purpose installs the hooks anew, with the checks named',
  )
}

export { isWithinCheck } from '@donecheck/engine/internal/system/process'
