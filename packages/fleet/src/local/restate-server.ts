/** A Restate server for trying and for tests: from the npm package, on loopback, one node, gone with this process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from '@donecheck/engine/base'
import { standBy } from '@donecheck/engine/process'
import { findInstalled } from './find-installed.ts'
import { freePort } from './free-port.ts'

export interface RestateServerOptions {
  /** Its data and its configuration lie here; made where it is missing. */
  readonly folder: string
  /** Default: ones that are free. */
  readonly ingressPort?: number
  readonly adminPort?: number
  /** A file with an Ed25519 key in PEM: whoever is called can tell by its public half that this server calls. */
  readonly signingKeyFile?: string
  /** Where `@restatedev/restate-server` is looked for before it is looked for beside this package. */
  readonly packagesFrom?: string
}

export interface RestateServer {
  readonly ingressUrl: string
  readonly adminUrl: string
  readonly processId: number
  stop(): Promise<void>
  /** As a crash would. */
  kill(): Promise<void>
}

/** Enough for a fleet on one machine; each costs memory and time at the start. */
const partitions = 4
const readyWithinMs = 30_000

/** @throws {UsageError} where the package is missing, or the server does not start; the message has its last words */
export async function startRestate(options: RestateServerOptions): Promise<RestateServer> {
  const program = programOf(options.packagesFrom)
  const { folder } = options
  await mkdir(folder, { recursive: true })
  const ingressPort = options.ingressPort ?? (await freePort())
  const adminPort = options.adminPort ?? (await freePort())
  const configuration = join(folder, 'restate.toml')
  await writeFile(configuration, configurationOf(options, ingressPort, adminPort, await freePort()))
  const guard = standBy()
  const child = spawn(program, ['--config-file', configuration], {
    cwd: folder,
    detached: true,
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (words = (words + chunk).slice(-2_000)))
  const exited = once(child, 'close').finally(() => guard.dismiss())
  if (child.pid !== undefined) guard.watch(child.pid)
  const ended = exited.then(() => Promise.reject(new UsageError(`Restate did not start: ${words.trim()}`)))
  ended.catch(() => undefined)
  const urls = { ingressUrl: `http://127.0.0.1:${ingressPort}`, adminUrl: `http://127.0.0.1:${adminPort}` }
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    child.kill(signal)
    await exited
  }
  try {
    await Promise.race([ready([`${urls.adminUrl}/health`, `${urls.ingressUrl}/restate/health`]), ended])
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
  return { ...urls, processId: child.pid ?? 0, stop: () => end('SIGINT'), kill: () => end('SIGKILL') }
}

function programOf(from: string | undefined): string {
  const packageName = '@restatedev/restate-server'
  return findInstalled(
    { title: 'Restate', packageName, entry: `${packageName}/package.json` },
    `${packageName}-${process.platform}-${process.arch}/bin/restate-server`,
    from,
  )
}

function configurationOf(
  { folder, signingKeyFile }: RestateServerOptions,
  ingressPort: number,
  adminPort: number,
  nodePort: number,
): string {
  const signing =
    signingKeyFile === undefined
      ? ''
      : `\n[worker.invoker]\nrequest-identity-private-key-pem-file = ${JSON.stringify(signingKeyFile)}\n`
  const node = `127.0.0.1:${nodePort}`
  return `disable-telemetry = true
node-name = "donecheck"
cluster-name = "donecheck"
auto-provision = true
default-num-partitions = ${partitions}
base-dir = ${JSON.stringify(join(folder, 'data'))}
rocksdb-total-memory-size = "256 MiB"
bind-address = "${node}"
advertised-address = "http://${node}"
log-filter = "warn"

[ingress]
bind-address = "127.0.0.1:${ingressPort}"

[admin]
bind-address = "127.0.0.1:${adminPort}"
${signing}`
}

async function ready(urls: readonly string[]): Promise<void> {
  const untilMs = Date.now() + readyWithinMs
  for (const url of urls)
    while (!(await isHealthy(url))) {
      if (Date.now() > untilMs) throw new UsageError(`Restate does not answer at ${url}`)
      await pause(50)
    }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}
