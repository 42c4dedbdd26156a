/** The session between the processes of hooks. Loads the gate at a call, and the checks at a prompt or a claim. */
import { join } from 'node:path'
import { deterministicVeto } from '@donecheck/core/internal/decide/aggregate'
import { englishPrompts } from '@donecheck/core/internal/decide/prompts'
import { hardCaps } from '@donecheck/core/internal/rules/caps'
import { refusedCalls } from '@donecheck/core/internal/rules/detectors'
import type { Fact } from '@donecheck/core/internal/events'
import {
  changeTimeMs,
  effectOf,
  noteKnownRecord,
  prepareAct,
  sessionOver,
  type AgentSessionParts,
} from '@donecheck/agents/internal/session'
import { given } from '@donecheck/engine/internal/base'
import { softRulesOf } from '@donecheck/engine/internal/loop/compose'
import { sortableIds, systemClock } from '@donecheck/engine/internal/loop/run'
import { openDatabase, sqliteStore } from '@donecheck/engine/store'
import type { HostAnswer, HostCall } from '@donecheck/agents/internal/protocol/host'
import type { Gate } from '@donecheck/engine/internal/ports/gate'
import { secretsOf } from '../settings/secrets.ts'
import { choicesOf, ownPlacesOf, type HookRequest } from './request.ts'

/** @throws {StoreError} if the record cannot be opened */
export function openSession(request: HookRequest) {
  const { workFolder, storeFolder, sessionFile, environment, configuration, call, sessionId } = request
  const { agent } = call.protocol
  const { secrets } = configuration.config
  const named = Array.isArray(secrets) ? secrets.filter((name) => typeof name === 'string') : []
  const file = join(storeFolder, 'store.sqlite')
  // A power loss takes the latest events, and with them what they verified.
  const store = sqliteStore(openDatabase(file, { synchronous: 'NORMAL' }), file)
  const agreedAtMs = changeTimeMs(sessionFile) ?? 0
  let checks: Promise<Pick<AgentSessionParts, 'world'>> | undefined
  const agentSession = sessionOver({
    ...{ agent, sessionId, store, workFolder, agreedAtMs },
    clock: systemClock,
    ids: sortableIds(systemClock),
    secrets: secretsOf(environment, named),
    judging: {
      judgement: {
        rules: [...hardCaps, refusedCalls(), ...softRulesOf({})],
        aggregate: deterministicVeto,
        prompts: englishPrompts,
      },
      problemOf: problemOfPlainFact,
    },
    ownPlaces: ownPlacesOf(request),
    choices: choicesOf(request),
    signal: new AbortController().signal,
    watchesCalls: false,
    keepsProposals: false,
    gate: () => loadGate(request),
    approver: undefined,
    async world(baselineRunId) {
      const { loadChecks } = await import('./checks.ts')
      checks ??= loadChecks(request, store, agreedAtMs)
      return (await checks).world(baselineRunId)
    },
    onEvent: () => undefined,
  })
  return {
    agentSession,
    /** Leaves the store open in the middle of a turn: to close it would sort all events into its file. */
    close: async () => {
      if (checks === undefined) return
      await store.close()
      if (agentSession.state !== undefined) noteKnownRecord(request, agreedAtMs)
    },
  }
}

/** The only invalid values of a turn are numbers that JSON cannot hold. */
function problemOfPlainFact(fact: Fact): string | undefined {
  return Object.entries(fact).some(([, value]) => typeof value === 'number' && !Number.isFinite(value))
    ? 'a number is none'
    : undefined
}

async function loadGate(request: HookRequest): Promise<Gate> {
  const { hookGate } = await import('./gate.ts')
  return hookGate(request)
}

/** Judges a call by the pinned rules without recording it. @throws {Error} if it cannot be judged */
export async function answerStateless(call: HostCall, request: HookRequest): Promise<HostAnswer> {
  const { workFolder, configuration } = request
  const prepared = await prepareAct(call, { workFolder, ownPlaces: ownPlacesOf(request) })
  if (prepared.kind === 'invalid') return { kind: 'refuse', reason: prepared.reason }
  const { tool, args, act } = call
  const gate = await loadGate(request)
  const { summary, action } = prepared
  const question = { tool, effect: effectOf(act), args, summary, ...given({ action }) }
  const { kind, reason } = await gate.check(question)
  if (kind === 'forbidden') return { kind: 'refuse', reason }
  if (kind === 'prompt' && configuration.onGatePrompt === 'ask') return { kind: 'ask', reason }
  return { kind: 'pass' }
}
