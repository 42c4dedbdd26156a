/**
 * A ride that brings along only what the events in the middle of a turn need. Whatever needs more throws `NeedsMore`, before
 * anything of it was recorded.
 */
import { deterministicVeto, englishPrompts, hardCaps, refusedCalls } from '../../core/index.ts'
import type { Fact } from '../../events/index.ts'
import { placesOf, rideOver, type Ride } from '../../ride/index.ts'
import { softRulesOf } from '../../soft-tier.ts'
import type { RideStore } from '../../store/index.ts'
import { secretsOf } from '../secrets.ts'
import { NeedsMore } from './needs-more.ts'
import { quickClock, quickIds } from './quick-world.ts'
import { choicesOf, untouchableFor, type HookRequest } from './request.ts'

export function fastRide(request: HookRequest, store: RideStore): Ride {
  const { workFolder, homeFolder, environment, configuration, call, sessionId } = request
  const { secrets } = configuration.config
  const ownPlaces = placesOf(untouchableFor(request), workFolder, homeFolder)
  const named = Array.isArray(secrets) ? secrets.filter((name) => typeof name === 'string') : []
  return rideOver({
    agent: call.protocol.agent,
    sessionId,
    store,
    clock: quickClock,
    ids: quickIds(quickClock),
    secrets: secretsOf(environment, named),
    // Ends are judged by the whole program, with the policy that was chosen.
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
      const { hookGate, prepareAct } = await import('./gate.ts')
      return { gate: await hookGate(request, ownPlaces, act), prepare: prepareAct }
    },
    approver: undefined,
    beginning: () => Promise.reject(new NeedsMore('the settings of a run that begins')),
    world: () => Promise.reject(new NeedsMore('the checks')),
    onEvent: () => undefined,
  })
}

/** The facts of these events are made here and of known shape: only a number may be none that JSON can hold. */
function problemOfPlainFact(fact: Fact): string | undefined {
  return Object.entries(fact).some(([, value]) => typeof value === 'number' && !Number.isFinite(value))
    ? 'a number is none'
    : undefined
}
