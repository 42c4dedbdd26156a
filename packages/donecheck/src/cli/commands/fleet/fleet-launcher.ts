/** Runs of the service over a fleet: submitted, instead of begun as processes. */
import { z } from 'zod'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from '@donecheck/engine/base'
import type { FleetClient, FleetRequest } from '@donecheck/fleet/coordinator'
import type { LaunchedRun, RunLauncher, StartRequest } from '@donecheck/server'
import { configOfRequest } from '../service/process-launcher.ts'
import { parseConfig, type Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { isDatabase } from '../../settings/store-folder.ts'
import { fleetAddressOf, loadFleet } from '../../settings/load-fleet.ts'
import { orderOf, repositoryOf, tenantOf, type SubmitFlags } from './submit.ts'

export interface FleetLauncherSettings {
  readonly client: Pick<FleetClient, 'submit' | 'cancel' | 'run'>
  readonly tenant: string
  /** Where a run works that names nothing. Undefined: it has to. */
  readonly repository: FleetRequest['repository']
}

/** @throws {UsageError} where the record is not one that workers share */
export async function openFleetLauncher(
  flags: SubmitFlags,
  config: Config,
  workFolder: string,
  io: CliIo,
): Promise<RunLauncher> {
  if (!isDatabase(config.store))
    throw new UsageError('--fleet needs the database of the fleet: --store postgres://…, or DONECHECK_STORE')
  const { ingressUrl } = fleetAddressOf(flags, io)
  const { fleetClient } = await loadFleet(() => import('@donecheck/fleet/coordinator'))
  const repository = await repositoryOf(flags, workFolder).catch(() => undefined)
  return fleetLauncher({ client: fleetClient(ingressUrl), tenant: tenantOf(config), repository })
}

export function fleetLauncher({ client, tenant, repository }: FleetLauncherSettings): RunLauncher {
  const submit = async (request: FleetRequest): Promise<LaunchedRun> => {
    await client.submit(request)
    return { ended: endOf(request, client), isQueued: true }
  }
  return {
    start(runId, { task, workFolder, ...fields }) {
      const place = placeOf(workFolder) ?? (repository === undefined ? undefined : { repository })
      if (place === undefined)
        throw new UsageError(
          'workFolder must name what workers clone, such as https://example.org/shop.git#main',
        )
      const order = orderOf(parseConfig(configOfRequest(fields), 'the request'))
      return submit({ runId, tenant, task, ...place, labels: [], priority: 0, ...order })
    },
    async resume(runId, topUp) {
      const known = (await client.run(runId))?.request
      if (known === undefined)
        throw new UsageError(`run ${runId} was not given to this fleet; resume it with "donecheck resume"`)
      return submit({ ...known, resume: { id: randomUUID(), topUp: amounts.parse(topUp) } })
    },
    cancel: (runId, by) => client.cancel(runId, by),
  }
}

/** `URL#REVISION`, or a folder of the workers. */
export function placeOf(
  named: StartRequest['workFolder'],
): Pick<FleetRequest, 'repository' | 'folder'> | undefined {
  if (named === undefined) return undefined
  if (named.startsWith('/')) return { folder: named }
  const [, url, revision] = /^([^#]+)#(.+)$/.exec(named) ?? []
  return url === undefined || revision === undefined ? undefined : { repository: { url, revision } }
}

const amounts = z.record(z.string(), z.number())

const lookEveryMs = 1_000

/** Of this request: what is known may still be the end of the one before. */
async function endOf(
  { runId, resume }: FleetRequest,
  client: FleetLauncherSettings['client'],
): Promise<string> {
  for (;;) {
    const run = await client.run(runId)
    if (run?.phase.kind === 'over' && run.request.resume?.id === resume?.id) return run.phase.message
    await pause(lookEveryMs, undefined, { ref: false })
  }
}
