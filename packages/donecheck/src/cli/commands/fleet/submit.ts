import { UsageError } from '@donecheck/engine/base'
import { sortableIds, systemClock } from '@donecheck/engine/run'
import type { FleetRequest, FleetClient } from '@donecheck/fleet/coordinator'
import { z } from 'zod'
import { type Config, parseConfig } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { writeNotice } from '../../output/wrap.ts'
import { recipeOf } from '../../settings/recipe.ts'
import { askGit } from '../../tree/git.ts'
import { fleetAddressOf, loadFleet, reachFleet, type FleetFlags } from '../../settings/load-fleet.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LaunchedRun, RunLauncher, StartRequest } from '@donecheck/server'
import { configOfRequest } from '../service/process-launcher.ts'
import { isDatabase } from '../../settings/store-folder.ts'
import type { Flags } from '../../options/flags.ts'

export type SubmitFlags = FleetFlags & Flags<'repository' | 'revision'>

interface Submission {
  readonly task: string
  readonly config: Config
  readonly workFolder: string
  readonly runId?: string
}

/** Settings that name something on this machine. */
const ofThisMachine = ['heldOutFiles', 'writable', 'baseline'] as const

/** @returns the run id @throws {UsageError} for settings a fleet cannot use */
export async function submitRun(
  { task, config, workFolder, runId: named }: Submission,
  flags: SubmitFlags,
  io: CliIo,
): Promise<string> {
  const here = ofThisMachine.find((key) => config[key] !== undefined)
  if (here !== undefined)
    throw new UsageError(
      `${here} names something of this machine, which the workers of a fleet do not have; leave it out`,
    )
  const fleet = fleetAddressOf(flags, io)
  const { fleetClient } = await loadFleet(() => import('@donecheck/fleet/coordinator'))
  const repository = await repositoryOf(flags, workFolder)
  if (flags.revision === undefined && (await isKnownHereAlone(repository.revision, workFolder)))
    writeNotice(
      `commit ${repository.revision.slice(0, 12)} is on no branch of a remote that is known here; push it, or no worker can begin`,
      io,
    )
  const runId = named ?? sortableIds(systemClock).next()
  const request = {
    ...{ runId, task, tenant: tenantOf(config) },
    repository,
    ...{ labels: [...(config.needs ?? [])], priority: config.priority ?? 0 },
    ...orderOf(config),
  }
  await reachFleet(fleet, () => fleetClient(fleet.ingressUrl).submit(request))
  return runId
}

/** The configuration as recorded, and the provider it calls, such as `anthropic` of `anthropic/claude-x`. */
export function orderOf(config: Config): Pick<FleetRequest, 'settings' | 'provider'> {
  const [provider = ''] = (config.model ?? config.agent ?? '').split(/[/ ]/)
  return {
    settings: z.record(z.string(), z.json()).parse(recipeOf(config)),
    ...(provider === '' ? {} : { provider }),
  }
}

export function tenantOf({ tenant, store }: Config): string {
  return tenant ?? URL.parse(store ?? '')?.searchParams.get('tenant') ?? 'default'
}

async function isKnownHereAlone(commit: string, workFolder: string): Promise<boolean> {
  return (await askGit(workFolder, ['branch', '--remotes', '--contains', commit])) === ''
}

/** The named repository, or the commit checked out here; workers must be able to clone it. */
export async function repositoryOf({ repository, revision }: SubmitFlags, workFolder: string) {
  const ask = async (...words: readonly string[]) => (await askGit(workFolder, words))?.trim() ?? ''
  const url = repository ?? (await ask('remote', 'get-url', 'origin'))
  if (url === '')
    throw new UsageError(
      `${workFolder} has no remote "origin" that the workers could clone; name one with --repository URL`,
    )
  if (revision !== undefined) return { url, revision }
  if (repository !== undefined)
    throw new UsageError('--repository needs --revision: a branch, a tag or a whole commit id')
  const head = await ask('rev-parse', 'HEAD')
  if (head === '')
    throw new UsageError(`${workFolder} has no commit yet; commit and push, or name a --revision`)
  return { url, revision: head }
}

interface FleetLauncherSettings {
  readonly client: Pick<FleetClient, 'submit' | 'cancel' | 'run'>
  readonly tenant: string
  /** Used if a request names no repository. */
  readonly repository: FleetRequest['repository']
}

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

/** Resolves when this request ends; the known end may be the one before. */
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
