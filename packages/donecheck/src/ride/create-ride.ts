/** From what a user says to a ride: the same parts as those of a loop of our own, but for the drive, which the host brings. */
import { partsOf } from '../compose.ts'
import { problemOfFact, type DriveDescription, type JsonValue } from '../events/index.ts'
import { pathRule, type PolicyRule } from '../gate/index.ts'
import type { Drive } from '../ports.ts'
import { donecheckVersion } from '../version.ts'
import { prepareAct } from './act.ts'
import { brokenCheck, hearingAll } from './broken-check.ts'
import { placesOf } from './own-places.ts'
import { engine } from './engine.ts'
import { hostDrive } from './host-drive.ts'
import type { RideParts, RideWorld } from './parts.ts'
import { assertKnownKeys } from '../option-keys.ts'
import { rideKeys, type Ride, type RideOptions } from './ride.ts'
import { rideOver } from './riding.ts'

/**
 * A session over a loop that somebody else owns: it tells what happens, and is told what to do.
 * @throws {UsageError} for options that contradict each other or can never work
 */
export async function createRide(options: RideOptions): Promise<Ride> {
  assertKnownKeys(options, rideKeys, 'createRide')
  return rideOver(ridePartsOf(options))
}

/** Sends an agent back so often without a better score than ever. */
export const defaultSendBacks = 5

function ridePartsOf(options: RideOptions): RideParts {
  const drive = hostDrive(descriptionOf(options))
  const ownPlaces = placesOf(options.keepUntouched ?? [], options.workFolder ?? null)
  const loop = loopOf(options, drive, { ownPlaces, baselineRunId: null })
  const { store, clock, ids, secrets, judgement, settings, workFolder, sandbox, doors } = loop
  const { onBrokenCheck = 'hold', approver } = options
  const sessionId = options.sessionId ?? ids.next()
  const recipe: JsonValue = options.recipe ?? { ride: { agent: options.agent, sessionId } }
  let compared: { readonly baselineRunId: string | null; readonly doors: typeof doors } = {
    baselineRunId: null,
    doors,
  }
  const doorsFor = (baselineRunId: string | null): typeof doors => {
    if (compared.baselineRunId !== baselineRunId)
      compared = {
        baselineRunId,
        doors: loopOf({ ...options, store, clock, ids }, drive, { ownPlaces, baselineRunId }).doors,
      }
    return compared.doors
  }
  return {
    ...{ store, clock, ids, secrets, workFolder },
    agent: options.agent,
    sessionId,
    judgement: {
      ...judgement,
      rules: onBrokenCheck === 'let-go' ? [...judgement.rules, brokenCheck] : judgement.rules,
      hostOwnsLoop: true,
    },
    problemOf: problemOfFact,
    ownPlaces,
    choices: {
      onBrokenCheck,
      whenUnchanged: options.whenUnchanged ?? 'verify',
      onGatePrompt: options.onGatePrompt ?? (approver === undefined ? 'agent' : 'approver'),
      baseline: options.baseline ?? 'checks',
      reportsUsage: options.reportsUsage ?? false,
      silentFailures: options.silentFailures ?? false,
    },
    ...(options.agreedAtMs === undefined ? {} : { agreedAtMs: options.agreedAtMs }),
    signal: loop.signal,
    watchesCalls: loop.hooks.has('before_tool_call'),
    keepsProposals: true,
    gate: async () => ({ gate: doors.gate, prepare: prepareAct }),
    approver,
    beginning: async () => ({
      started: {
        type: 'run-started',
        ...{ donecheckVersion, workFolder, settings, recipe },
        drive: drive.description,
        ...(sandbox === null ? {} : { sandbox }),
      },
    }),
    world: async (baselineRunId) => ({ doors: heard(doorsFor(baselineRunId), onBrokenCheck), engine }),
    ...(options.softVerifiers?.normaliseResult === undefined
      ? {}
      : { normaliseResult: options.softVerifiers.normaliseResult }),
    onEvent: options.onEvent ?? (() => undefined),
  }
}

/** Where a broken check lets go, it must not keep the others from being asked. */
function heard(doors: RideWorld['doors'], onBrokenCheck: 'hold' | 'let-go'): RideWorld['doors'] {
  if (onBrokenCheck === 'hold') return doors
  const { checking } = doors
  return { ...doors, checking: { ...checking, policy: hearingAll(checking.policy) } }
}

/** Also where a command of the agent would write to them. */
function untouchable(ownPlaces: readonly string[]): readonly PolicyRule[] {
  if (ownPlaces.length === 0) return []
  const paths = ownPlaces.flatMap((place) => [place, `${place}/**`])
  return [
    pathRule({ paths, decision: 'forbidden', justification: 'it is part of what watches over this work' }),
  ]
}

function loopOf(
  options: RideOptions,
  drive: Drive,
  {
    ownPlaces,
    baselineRunId,
  }: { readonly ownPlaces: readonly string[]; readonly baselineRunId: string | null },
) {
  const { hardCap, guard = {}, gate = {} } = options
  const isChoices = guard !== false && !('prepare' in guard)
  return partsOf({
    ...options,
    drive,
    tools: [],
    wrapUp: false,
    // Time in which the host waits for its user is not the agent's.
    hardCap: { sendBacks: defaultSendBacks, wallClockMs: null, ...hardCap },
    guard: isChoices && baselineRunId !== null ? { ...guard, snapshotRunId: baselineRunId } : guard,
    gate: 'check' in gate ? gate : { ...gate, rules: [...(gate.rules ?? []), ...untouchable(ownPlaces)] },
  })
}

function descriptionOf({ agent, reportsUsage, reportsCost, prices }: RideOptions): DriveDescription {
  return {
    kind: 'agent',
    name: agent,
    sideEffects: true,
    reportsUsage: reportsUsage === true,
    prices: prices ?? null,
    // Nobody can say: the host keeps to the bounds of its model itself.
    maxOutputTokens: 32_000,
    contextWindowTokens: 1_000_000,
    ownsTools: true,
    ...(reportsCost === true ? { reportsCost } : {}),
  }
}
