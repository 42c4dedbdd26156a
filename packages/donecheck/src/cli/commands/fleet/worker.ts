import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { stateHome, UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import { paintLines, writeNotice } from '../../output/wrap.ts'
import { fleetAddressOf, loadFleet, reachFleet, storesAt } from '../../settings/load-fleet.ts'
import { handedOver, secretVariables, takeSecrets, type OwnSecrets, runOpener } from '../../wiring/fleet.ts'
import { endpointOf, logTo, untilInterrupted, type EndpointFlags } from './up.ts'
import type { Flags } from '../../options/flags.ts'

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
    () => import('@donecheck/fleet/worker'),
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
      lines.map((text, at) => ({ tone: at === 0 ? 'strong' : 'quiet', text })),
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
