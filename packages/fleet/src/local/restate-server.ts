/** A Restate server for trying and for tests: from the npm package, on loopback, one node, gone with this process. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findInstalled, freePort, startServer, untilReady, type ServerProcess } from './server-process.ts'

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

export interface RestateServer extends Pick<ServerProcess, 'processId' | 'stop' | 'kill'> {
  readonly ingressUrl: string
  readonly adminUrl: string
}

/** Enough for a fleet on one machine; each costs memory and time at the start. */
const partitions = 4

/** @throws {UsageError} where the package is missing, or the server does not start; the message has its last words */
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
