/** `donecheck fleet coordinator`: decides which worker takes which run. What it knows lies with Restate: it may be killed at any time. */
import { given, messageOf, readJson } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import { reportFailure } from '../../process/failure.ts'
import { paintLines } from '../../output/painter.ts'
import { fleetAddressOf, loadFleet, reachFleet, type FleetAddress } from '../../settings/load-fleet.ts'
import { storesAt } from '../../wiring/fleet/stores-at.ts'
import { endpointOf, logTo, untilInterrupted, type EndpointFlags } from './endpoint.ts'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Limits } from '@donecheck/fleet/schedule'
import { orUsageError } from '../../process/usage-error.ts'

export interface CoordinatorFlags extends EndpointFlags, LimitsFlags {
  readonly store?: string
}

/** Longer than Kubernetes takes for a new pod, and than a pause of the network; a worker says every three seconds that it is there. */
const lostAfterMs = 15_000

export async function fleetCoordinatorCommand(flags: CoordinatorFlags, io: CliIo): Promise<number> {
  try {
    const fleet = fleetAddressOf(flags, io)
    const store = flags.store ?? io.environment['DONECHECK_STORE']
    const { url, close } = await reachFleet(fleet, () => startCoordinator({ ...fleet, store }, flags, io))
    io.stdout.write(
      `${paintLines([{ tone: 'plain', text: `the coordinator of ${fleet.ingressUrl} listens at ${url}` }], io)}\n`,
    )
    await untilInterrupted(flags, io, close)
    return 0
  } catch (error) {
    return reportFailure(error, false, io)
  }
}

interface Grounds extends FleetAddress {
  /** Where answers are seen. Undefined: whoever gives one has to wake the run. */
  readonly store: string | undefined
}

export async function startCoordinator(
  { ingressUrl, adminUrl, store }: Grounds,
  flags: EndpointFlags & LimitsFlags,
  io: CliIo,
) {
  const limits = await readLimits(flags, io)
  const fleet = await loadFleet(() => import('@donecheck/fleet/coordinator'))
  const admin = fleet.restateAdmin(adminUrl)
  const log = logTo(io)
  const served = await fleet.serveCoordinator({
    ...{ ...endpointOf(flags), admin, lostAfterMs, log },
    ...given({ limits }),
  })
  const client = fleet.fleetClient(ingressUrl)
  const stores = store === undefined ? undefined : await storesAt(store)
  const ends = [
    fleet.forgetLostWorkers({ client, admin, log }),
    ...(stores === undefined ? [] : [fleet.wakeAnswered({ client, storeOf: stores.of, log })]),
  ]
  return {
    url: served.url,
    close: async () => {
      for (const end of ends) end()
      await served.close()
      await stores?.close()
    },
  }
}

export interface LimitsFlags {
  readonly limits?: string
}

const form = '{"everyTenant":{"atOnce":20},"tenants":{…},"providers":{"anthropic":{"atOnce":50}}}'

/** What tenants and providers are held to. Undefined: none are named, and those that hold stay. @throws {UsageError} for a file that cannot be read, or holds something else */
export async function readLimits(
  { limits }: LimitsFlags,
  { currentFolder }: Pick<CliIo, 'currentFolder'>,
): Promise<Limits | undefined> {
  if (limits === undefined) return undefined
  const { limitsSchema } = await loadFleet(() => import('@donecheck/fleet/schedule'))
  const file = resolve(currentFolder, limits)
  const text = orUsageError(
    () => readFileSync(file, 'utf8'),
    (error) => `--limits ${file} cannot be read (${messageOf(error)})`,
  )
  return readJson(limitsSchema, text, { file: `--limits ${limits}`, form })
}
