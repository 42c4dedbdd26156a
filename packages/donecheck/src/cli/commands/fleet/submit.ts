import { line } from '@donecheck/core/internal/base'
import { UsageError, stateHome } from '@donecheck/engine/internal/base'
import { sortableIds, systemClock } from '@donecheck/engine/internal/loop/run'
import type { FleetRequest, FleetClient } from '@donecheck/fleet/internal/coordinator'
import { z } from 'zod'
import { type Config, parseConfig } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { writeNotice, paintLines } from '../../output/wrap.ts'
import { recipeOf } from '../../settings/recipe.ts'
import { askGit } from '../../tree/git.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LaunchedRun, RunLauncher, StartRequest } from '@donecheck/server'
import {
  isDatabase,
  fleetAddressOf,
  loadFleet,
  reachFleet,
  type FleetFlags,
  storesAt,
} from '../../settings/store-folder.ts'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { handedOver, secretVariables, takeSecrets, type OwnSecrets, runOpener } from '../../wiring/fleet.ts'
import { endpointOf, logTo, untilInterrupted, type EndpointFlags } from './up.ts'
import { configOfRequest } from '../service/process-launcher.ts'
import type { Flags } from '../../options/flags.ts'

export type SubmitFlags = FleetFlags & Flags<'repository' | 'revision'>

interface Submission {
  readonly task: string
  readonly config: Config
  readonly workFolder: string
  readonly runId?: string
}

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
  const { fleetClient } = await loadFleet(() => import('@donecheck/fleet/internal/coordinator'))
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
  const { fleetClient } = await loadFleet(() => import('@donecheck/fleet/internal/coordinator'))
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

type WorkerFlags = EndpointFlags & Flags<'store' | 'labels' | 'id' | 'folder'> & { readonly slots?: number }

export async function workerCommand(flags: WorkerFlags, io: CliIo): Promise<number> {
  const secrets = takeSecrets(process.env)
  await work(flags, secrets, { ...io, environment: withoutSecrets(io.environment) })
  return 0
}

function withoutSecrets(environment: CliIo['environment']): CliIo['environment'] {
  const own: readonly string[] = [...secretVariables, handedOver]
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.includes(name)))
}

async function work(flags: WorkerFlags, secrets: OwnSecrets, io: CliIo): Promise<void> {
  const fleet = fleetAddressOf(flags, io)
  const stores = await storesAt(databaseOf(flags, secrets))
  const { readCredentials, runFolders, startWorker } = await loadFleet(
    () => import('@donecheck/fleet/internal/worker'),
  )
  const { slots = 1, id = `${hostname()}-${process.pid}` } = flags
  const folder =
    flags.folder === undefined
      ? join(stateHome(io), 'donecheck', 'worker')
      : resolve(io.currentFolder, flags.folder)
  const labels = (flags.labels ?? '')
    .split(',')
    .map((label) => label.trim())
    .filter(Boolean)
  const options = {
    ...endpointOf(flags),
    ...{ workerId: id.replaceAll(/[^\w-]/g, '-'), ...fleet, labels, slots, storeOf: stores.of },
    opener: runOpener(io),
    folders: runFolders({ folder, credentials: readCredentials(secrets.DONECHECK_GIT_CREDENTIALS ?? '') }),
    log: logTo(io),
  }
  const worker = await reachFleet(fleet, () => startWorker(options))
  const lines = [
    `worker ${id} of ${fleet.ingressUrl}: ${slots} ${slots === 1 ? 'slot' : 'slots'}${labels.length === 0 ? '' : `, ${labels.join(', ')}`}`,
    `  folders  ${folder}`,
    '  stop     Ctrl-C or SIGTERM: it ends the steps that it is at, and gives its runs back',
  ]
  io.stdout.write(
    `${paintLines(
      lines.map((text, at) => line(at === 0 ? 'strong' : 'quiet', text)),
      io,
    )}\n`,
  )
  await untilInterrupted(flags, io, async (name) => {
    writeNotice(`${name}: ending its steps and giving its runs back; once more ends it at once`, io)
    await worker.drain()
  })
  await stores.close()
}

/** @throws {UsageError} if there is none, or its password would be visible to other processes */
function databaseOf({ store }: WorkerFlags, { DONECHECK_STORE }: OwnSecrets): string {
  const url = store ?? DONECHECK_STORE
  if (url === undefined)
    throw new UsageError(
      'a worker needs the database of its fleet: postgres://… in DONECHECK_STORE, or as --store',
    )
  if (store !== undefined && (URL.parse(store)?.password ?? '') !== '')
    throw new UsageError(
      '--store holds a password, which every process can read in the list of processes; give it in DONECHECK_STORE',
    )
  return url
}
