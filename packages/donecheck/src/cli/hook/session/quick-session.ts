/** A session that loads only what events in the middle of a turn need; throws `NeedsMore` before recording otherwise. */
import { deterministicVeto } from '@donecheck/core/internal/decide/policies'
import { englishPrompts } from '@donecheck/core/internal/decide/prompts'
import { hardCaps } from '@donecheck/core/internal/rules/caps'
import { refusedCalls } from '@donecheck/core/internal/rules/detectors'
import type { Fact } from '@donecheck/core/internal/events'
import { placesOf, sessionOver, type HostedSession } from '@donecheck/agents/internal/session'
import { softRulesOf } from '@donecheck/engine/internal/loop/compose'
import { type SessionStore, openSessionStore } from '@donecheck/engine/store'
import { sortableIds, systemClock } from '@donecheck/engine/internal/loop/run'
import type { HostAnswer, HostEvent } from '@donecheck/agents/internal/protocol/host'
import { secretsOf } from '../../settings/secrets.ts'
import { NeedsMore, choicesOf, untouchableFor, type HookRequest } from '../request.ts'

/** Leaves the store open: closing it would checkpoint. @returns undefined if the full session is needed */
export async function answerQuickly(event: HostEvent, request: HookRequest): Promise<HostAnswer | undefined> {
  const store = openSessionStore({ folder: request.storeFolder })
  try {
    return await quickSession(request, store).observe(event)
  } catch (error) {
    if (!(error instanceof NeedsMore)) throw error
    await store.close()
    return undefined
  }
}

function quickSession(request: HookRequest, store: SessionStore): HostedSession {
  const { workFolder, homeFolder, environment, configuration, call, sessionId } = request
  const { secrets } = configuration.config
  const ownPlaces = placesOf(untouchableFor(request), workFolder, homeFolder)
  const named = Array.isArray(secrets) ? secrets.filter((name) => typeof name === 'string') : []
  return sessionOver({
    agent: call.protocol.agent,
    sessionId,
    store,
    clock: systemClock,
    ids: sortableIds(systemClock),
    secrets: secretsOf(environment, named),
    // The full session judges ends, with the configured policy.
    judgement: {
      rules: [...hardCaps, refusedCalls(), ...softRulesOf({})],
      policy: deterministicVeto,
      prompts: englishPrompts,
    },
    problemOf: problemOfPlainFact,
    workFolder,
    ownPlaces,
    choices: choicesOf(request),
    signal: new AbortController().signal,
    watchesCalls: false,
    keepsProposals: false,
    async gate(_, act) {
      const { hookGate, prepareAct } = await import('../gate/hook-gate.ts')
      return { gate: await hookGate(request, ownPlaces, act), prepare: prepareAct }
    },
    approver: undefined,
    beginning: () => Promise.reject(new NeedsMore('the settings of a run that begins')),
    world: () => Promise.reject(new NeedsMore('the checks')),
    onEvent: () => undefined,
  })
}

/** The only invalid values here are numbers that JSON cannot hold. */
function problemOfPlainFact(fact: Fact): string | undefined {
  return Object.entries(fact).some(([, value]) => typeof value === 'number' && !Number.isFinite(value))
    ? 'a number is none'
    : undefined
}
