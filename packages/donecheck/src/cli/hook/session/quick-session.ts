/** A session that loads only what events in the middle of a turn need; throws `NeedsMore` before recording otherwise. */
import { deterministicVeto } from '@donecheck/core/policies'
import { englishPrompts } from '@donecheck/core/prompts'
import { hardCaps } from '@donecheck/core/caps'
import { refusedCalls } from '@donecheck/core/detectors'
import type { Fact } from '@donecheck/core/events'
import { placesOf, sessionOver, type HostedSession } from '@donecheck/agents/session'
import { softRulesOf } from '@donecheck/engine/compose'
import { type SessionStore, openSessionStore } from '@donecheck/engine/store'
import type { Clock, Ids } from '@donecheck/engine/ports/loop'
import type { HostAnswer, HostEvent } from '@donecheck/agents/host'
import { secretsOf } from '../../settings/secrets.ts'
import { NeedsMore, choicesOf, untouchableFor, type HookRequest } from '../input/request.ts'

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
    clock: quickClock,
    ids: quickIds(),
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

/** Avoids loading the modules of the regular clock and ids for one event. */
const quickClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    }),
}

/** Time, then random digits, like all run ids; later ones sort after earlier ones. */
function quickIds(): Ids {
  const chance = () => crockford(Math.floor(Math.random() * 32 ** 6), 6)
  const beginning = crockford(Date.now(), 10) + chance() + chance()
  let count = 0
  return { next: () => beginning + crockford((count += 1), 4) }
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function crockford(value: number, length: number): string {
  let [rest, text] = [value, '']
  for (let place = 0; place < length; place += 1) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}
