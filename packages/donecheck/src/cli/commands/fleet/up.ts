import { line } from '@donecheck/core/internal/base'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { getuid } from 'node:process'
import { z } from 'zod'
import {
  given,
  jsonOf,
  stateHome,
  readJson,
  donecheckVersion,
  UsageError,
} from '@donecheck/engine/internal/base'
import type { CliIo } from '../../process/io.ts'
import { readText } from '../../process/failure.ts'
import { paintLines, writeNotice, quoteWord } from '../../output/wrap.ts'
import type { Limits } from '@donecheck/fleet/internal/schedule'
import { hostname } from 'node:os'
import type { ListenAddress } from '@donecheck/server'
import { listenForInterrupts } from '../../process/signals.ts'
import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  loadFleet,
  fleetAddressOf,
  reachFleet,
  type FleetAddress,
  type FleetFlags,
  storesAt,
} from '../../settings/store-folder.ts'
import { readListenAddress } from '../../options/option.ts'
import type { Flags } from '../../options/flags.ts'

type FleetUpFlags = LimitsFlags & Flags<'folder'>

export async function fleetUpCommand({ folder: named, ...flags }: FleetUpFlags, io: CliIo): Promise<number> {
  const folder = named === undefined ? defaultFolder(io) : resolve(io.currentFolder, named)
  await runFleet(folder, flags, io)
  return 0
}

/** As root, PostgreSQL runs as another user, who may not enter root's home. */
function defaultFolder({ environment, homeFolder }: CliIo): string {
  if (getuid?.() === 0) return '/var/lib/donecheck/fleet'
  return join(stateHome({ environment, homeFolder }), 'donecheck', 'fleet')
}

async function runFleet(folder: string, flags: LimitsFlags, io: CliIo): Promise<void> {
  const { startPostgres, startRestate } = await loadFleet(() => import('@donecheck/fleet/internal/local'))
  // PostgreSQL may run as another user, who needs to reach this folder.
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const ports = readPorts(folder)
  const packages = { packagesFrom: io.currentFolder }
  const running: (() => Promise<void>)[] = []
  const end = async () => {
    for (const stop of running.toReversed()) await stop()
  }
  try {
    const postgres = await startPostgres({
      ...packages,
      folder: join(folder, 'postgres'),
      ...given({ port: ports?.postgres }),
    })
    running.push(() => postgres.stop())
    const restate = await startRestate({
      ...packages,
      folder: join(folder, 'restate'),
      ...given({ ingressPort: ports?.ingress, adminPort: ports?.admin }),
    })
    running.push(() => restate.stop())
    const listening = ports === undefined ? {} : { listen: `127.0.0.1:${ports.coordinator}` }
    const coordinator = await startCoordinator(
      { ...restate, store: postgres.url },
      { ...listening, ...flags },
      io,
    )
    running.push(() => coordinator.close())
    writePorts(folder, {
      postgres: postgres.port,
      ingress: portOf(restate.ingressUrl),
      admin: portOf(restate.adminUrl),
      coordinator: portOf(coordinator.url),
    })
    const file = writeEnvironment(folder, `${restate.ingressUrl}?admin=${restate.adminUrl}`, postgres.url)
    io.stdout.write(`${screenOf(folder, file, io)}\n`)
    await untilInterrupted({}, io, (name) => {
      writeNotice(`${name}: ending the fleet; what it keeps is found again by the next "fleet up"`, io)
      return Promise.resolve()
    })
  } finally {
    await end()
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

const portsShape = z.strictObject({
  postgres: z.int(),
  ingress: z.int(),
  admin: z.int(),
  coordinator: z.int(),
})

/** Reuses ports, so that running workers find the fleet again. */
function readPorts(folder: string): z.output<typeof portsShape> | undefined {
  const file = join(folder, 'ports.json')
  if (!existsSync(file)) return undefined
  const parsed = portsShape.safeParse(jsonOf(readFileSync(file, 'utf8')))
  return parsed.success ? parsed.data : undefined
}

function writePorts(folder: string, ports: z.output<typeof portsShape>): void {
  writeFileSync(join(folder, 'ports.json'), `${JSON.stringify(ports)}\n`)
}

/** Holds a password, so only this user may read it. */
function writeEnvironment(folder: string, fleet: string, store: string): string {
  const file = join(folder, 'environment')
  const lines = [`export DONECHECK_FLEET='${fleet}'`, `export DONECHECK_STORE='${store}'`, '']
  writeFileSync(file, lines.join('\n'), { mode: 0o600 })
  chmodSync(file, 0o600)
  return file
}

function screenOf(folder: string, file: string, io: CliIo): string {
  return paintLines(
    [
      line('strong', 'the fleet is up; in other terminals, type'),
      line('quiet', ''),
      line('plain', `  . ${quoteWord(file)}`),
      line('quiet', '      once in each: it says where the fleet and its database are'),
      line('plain', '  donecheck fleet worker --slots 2'),
      line('quiet', '      a worker; as many as you like'),
      line(
        'plain',
        '  donecheck run --fleet "$DONECHECK_FLEET" --until "npm test" --agent claude "Fix the failing test."',
      ),
      line('quiet', '      a run, in a project whose commit can be cloned'),
      line('plain', '  donecheck fleet status'),
      line('quiet', '      what is going on; "donecheck watch last" follows a run'),
      line('quiet', ''),
      line('quiet', `  data  ${folder}`),
      line('quiet', '  stop  Ctrl-C'),
    ],
    io,
  )
}

type CoordinatorFlags = EndpointFlags & LimitsFlags & Flags<'store'>

/** Longer than Kubernetes needs for a new pod; workers report every three seconds. */
const lostAfterMs = 15_000

export async function fleetCoordinatorCommand(flags: CoordinatorFlags, io: CliIo): Promise<number> {
  const fleet = fleetAddressOf(flags, io)
  const store = flags.store ?? io.environment['DONECHECK_STORE']
  const { url, close } = await reachFleet(fleet, () => startCoordinator({ ...fleet, store }, flags, io))
  io.stdout.write(`the coordinator of ${fleet.ingressUrl} listens at ${url}\n`)
  await untilInterrupted(flags, io, close)
  return 0
}

interface Grounds extends FleetAddress {
  /** Undefined if the answering process must wake the run. */
  readonly store: string | undefined
}

async function startCoordinator(
  { ingressUrl, adminUrl, store }: Grounds,
  flags: EndpointFlags & LimitsFlags,
  io: CliIo,
) {
  const limits = await readLimits(flags, io)
  const fleet = await loadFleet(() => import('@donecheck/fleet/internal/coordinator'))
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

type LimitsFlags = Flags<'limits'>

const form = '{"everyTenant":{"atOnce":20},"tenants":{…},"providers":{"anthropic":{"atOnce":50}}}'

/** @returns undefined to keep the limits in force */
export async function readLimits(
  { limits }: LimitsFlags,
  io: Pick<CliIo, 'currentFolder'>,
): Promise<Limits | undefined> {
  if (limits === undefined) return undefined
  const { limitsSchema } = await loadFleet(() => import('@donecheck/fleet/internal/schedule'))
  return readJson(limitsSchema, readText(limits, io), { file: `--limits ${limits}`, form })
}

export type EndpointFlags = FleetFlags &
  Flags<'listen' | 'publicUrl' | 'health' | 'versionLabel', never, 'identityKey'>

/** @throws {UsageError} for an invalid address or key */
export function endpointOf({
  listen = '127.0.0.1:0',
  publicUrl,
  versionLabel,
  identityKey = [],
}: EndpointFlags) {
  const bad = identityKey.find((key) => !/^publickeyv1_\w+$/.test(key))
  if (bad !== undefined)
    throw new UsageError(
      `--identity-key takes the public key that Restate says when it starts, publickeyv1_…, not "${bad}"`,
    )
  const address = readListenAddress('--listen', listen)
  return {
    listen: address,
    ...publicUrlOf(publicUrl, address),
    identityKeys: identityKey,
    version: versionLabel ?? donecheckVersion,
  }
}

/** Listening on every address, it is reached by the host name. */
function publicUrlOf(
  named: string | undefined,
  { host, port }: ListenAddress,
): { readonly publicUrl?: string } {
  if (named !== undefined) return { publicUrl: named.replace(/\/$/, '') }
  const isEverywhere = ['0.0.0.0', '::'].includes(host) && port > 0
  return isEverywhere ? { publicUrl: `http://${hostname()}:${port}` } : {}
}

/** Resolves after the first interrupt; a second one exits at once. @param end cleanup before that */
export async function untilInterrupted(
  { health }: EndpointFlags,
  io: CliIo,
  end: (name: string) => Promise<void>,
): Promise<void> {
  const over = Promise.withResolvers<string>()
  const interrupts = listenForInterrupts(over.resolve, () => process.exit(0))
  const probes =
    health === undefined
      ? undefined
      : await serveHealth(readListenAddress('--health', health), () => !interrupts.signal.aborted)
  try {
    await end(await over.promise)
  } finally {
    interrupts.dispose()
    await probes?.close()
  }
}

export function logTo(io: CliIo): (message: string) => void {
  return (message) => {
    // Hides Restate's advice to check signatures; the guide explains how to protect its ports.
    if (!message.startsWith('Accepting requests without validating')) writeNotice(message, io)
  }
}

/** Serves `/live` and `/ready` for probes. @param isReady false while draining */
export async function serveHealth({ host, port }: ListenAddress, isReady: () => boolean) {
  const server = createServer(({ url }, response) => {
    const known = url === '/live' || url === '/ready'
    const good = url === '/live' || isReady()
    response.writeHead(known ? (good ? 200 : 503) : 404, { 'content-type': 'text/plain' })
    response.end(known ? (good ? 'ok\n' : 'draining\n') : 'ask /live or /ready\n')
  })
  await once(server.listen(port, host), 'listening')
  return {
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
