import { judgedOptions } from '../../wiring/judging/judging-options.ts'
import {
  createHostedSession,
  placesOf,
  effectOf,
  prepareAct,
  changeTimeMs,
  hasKnownRecord,
  noteKnownRecord,
} from '@donecheck/agents/internal/session'
import { openSqliteStore } from '@donecheck/engine/store'
import type { HostAnswer, HostCall } from '@donecheck/agents/internal/protocol/host'
import type { HostSessions, Store } from '@donecheck/engine/internal/ports/store'
import { given, StoreError } from '@donecheck/engine/internal/base'
import { parseConfig } from '../../../config/index.ts'
import { recipeOf } from '../../settings/recipe.ts'
import { hookGate } from '../gate/hook-gate.ts'
import { NeedsMore, choicesOf, untouchableFor, type HookRequest } from '../request.ts'

export { isWithinCheck } from '@donecheck/engine/internal/system/process'

/** @throws {UsageError} for an invalid configuration @throws {StoreError} for a record that is unusable or was removed */
export async function fullSession(request: HookRequest) {
  const { workFolder, storeFolder, sessionFile, homeFolder, environment, sessionId, call } = request
  const config = parseConfig(request.configuration.config, sessionFile)
  const agreedAtMs = changeTimeMs(sessionFile) ?? 0
  const store = openSqliteStore({ folder: storeFolder })
  await assertRecordStands(request, store, agreedAtMs).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const io = { environment, homeFolder }
  const { agent } = call.protocol
  const keepUntouched = untouchableFor(request)
  const hostedSession = await createHostedSession({
    ...(await judgedOptions({ config, workFolder, store, io }, false)),
    ...choicesOf(request),
    agent,
    sessionId,
    keepUntouched,
    agreedAtMs,
    gate: await hookGate(request, placesOf(keepUntouched, workFolder, homeFolder), 'command', config),
    recipe: { hostedSession: { agent, sessionId, config: recipeOf(config) } },
  })
  return {
    hostedSession,
    close: async () => {
      await store.close()
      if (hostedSession.state !== undefined) noteKnownRecord(request, agreedAtMs)
    },
  }
}

/** @throws {StoreError} if earlier sessions were on record and none is any more */
async function assertRecordStands(
  request: HookRequest,
  store: HostSessions & Pick<Store, 'place'>,
  agreedAtMs: number,
): Promise<void> {
  if (!hasKnownRecord(request, agreedAtMs)) return
  const { call, sessionId } = request
  if ((await store.hostSession(`${call.protocol.agent}/${sessionId}`)) !== undefined) return
  if ((await store.hostSessions()).length > 0) return
  throw new StoreError(
    store.place,
    'it held sessions of agents, and is empty now: what was to be compared with is gone; whoever took it away on purpose installs the hooks anew, with the checks named',
  )
}

/** Judges a call by the pinned rules without recording it. @throws {Error} if it cannot be judged */
export async function answerStateless(call: HostCall, request: HookRequest): Promise<HostAnswer> {
  const { workFolder, homeFolder, configuration, sessionFile } = request
  const ownPlaces = placesOf(untouchableFor(request), workFolder, homeFolder)
  const prepared = await prepareAct(call, { workFolder, ownPlaces })
  if (prepared.kind === 'invalid') return { kind: 'refuse', reason: prepared.reason }
  const { tool, args, act } = call
  const gate = await hookGate(request, ownPlaces, act.kind).catch((error: unknown) => {
    if (!(error instanceof NeedsMore)) throw error
    return hookGate(request, ownPlaces, act.kind, parseConfig(configuration.config, sessionFile))
  })
  const { summary, action } = prepared
  const question = { tool, effect: effectOf(act), args, summary, ...given({ action }) }
  const { kind, reason } = await gate.check(question)
  if (kind === 'forbidden') return { kind: 'refuse', reason }
  if (kind === 'prompt' && configuration.onGatePrompt === 'ask') return { kind: 'ask', reason }
  return { kind: 'pass' }
}
