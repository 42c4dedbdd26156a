/** `donecheck fleet up`: a whole fleet but for its workers on this machine, for trying. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { getuid } from 'node:process'
import { z } from 'zod'
import { given, jsonOf, stateHome } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import { reportFailure } from '../../process/failure.ts'
import { paintLines, writeNotice } from '../../output/painter.ts'
import { quoteWord } from '../../output/quoted-word.ts'
import { loadFleet } from '../../settings/load-fleet.ts'
import { startCoordinator, type LimitsFlags } from './coordinator.ts'
import { untilInterrupted } from './endpoint.ts'

export interface FleetUpFlags extends LimitsFlags {
  readonly folder?: string
}

export async function fleetUpCommand({ folder: named, ...flags }: FleetUpFlags, io: CliIo): Promise<number> {
  try {
    const folder = named === undefined ? defaultFolder(io) : resolve(io.currentFolder, named)
    await runFleet(folder, flags, io)
    return 0
  } catch (error) {
    return reportFailure(error, false, io)
  }
}

/** Of root elsewhere: PostgreSQL runs as another user then, who may not enter the home of root. */
function defaultFolder({ environment, homeFolder }: CliIo): string {
  if (getuid?.() === 0) return '/var/lib/donecheck/fleet'
  return join(stateHome({ environment, homeFolder }), 'donecheck', 'fleet')
}

/** Begun in this order and ended in the other. */
async function runFleet(folder: string, flags: LimitsFlags, io: CliIo): Promise<void> {
  const { startPostgres, startRestate } = await loadFleet(() => import('@donecheck/fleet/local'))
  // PostgreSQL may have to run as another user, who has to come this far.
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

/** The same ports at every start: workers that run on find the fleet again, and Restate its coordinator. */
function readPorts(folder: string): z.output<typeof portsShape> | undefined {
  const file = join(folder, 'ports.json')
  if (!existsSync(file)) return undefined
  const parsed = portsShape.safeParse(jsonOf(readFileSync(file, 'utf8')))
  return parsed.success ? parsed.data : undefined
}

function writePorts(folder: string, ports: z.output<typeof portsShape>): void {
  writeFileSync(join(folder, 'ports.json'), `${JSON.stringify(ports)}\n`)
}

/** What commands need to find it: with a password, so for this user alone. */
function writeEnvironment(folder: string, fleet: string, store: string): string {
  const file = join(folder, 'environment')
  const lines = [`export DONECHECK_FLEET='${fleet}'`, `export DONECHECK_STORE='${store}'`, '']
  writeFileSync(file, lines.join('\n'), { mode: 0o600 })
  chmodSync(file, 0o600)
  return file
}

function screenOf(folder: string, file: string, io: CliIo): string {
  const quiet = (text: string) => ({ tone: 'quiet', text }) as const
  const plain = (text: string) => ({ tone: 'plain', text }) as const
  return paintLines(
    [
      { tone: 'strong', text: 'the fleet is up; in other terminals, type' },
      quiet(''),
      plain(`  . ${quoteWord(file)}`),
      quiet('      once in each: it says where the fleet and its database are'),
      plain('  donecheck worker --slots 2'),
      quiet('      a worker; as many as you like'),
      plain(
        '  donecheck run --fleet "$DONECHECK_FLEET" --until "npm test" --agent claude "Fix the failing test."',
      ),
      quiet('      a run, in a project whose commit can be cloned'),
      plain('  donecheck fleet status'),
      quiet('      what is going on; "donecheck watch last" follows a run'),
      quiet(''),
      quiet(`  data  ${folder}`),
      quiet('  stop  Ctrl-C'),
    ],
    io,
  )
}
