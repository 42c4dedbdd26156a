/** One service on one address. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { assertKnownKeys, optionKeys, UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import { isLoopback, knownUser, newToken, originsOf, roles, type Role, type Users } from '../access/index.ts'
import { workplaceOf, type RunLauncher } from '../api/index.ts'
import { readPageFiles } from './page-files.ts'
import { serviceApp } from './service-app.ts'

export interface ServiceOptions {
  readonly store: Store
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Who may ask, as `readTokenFile` gives them. Default: one owner with every role and a token that is made now; on the loopback alone. */
  readonly users?: Users
  /** What that owner may do. Default: everything. */
  readonly ownerRoles?: readonly Role[]
  /** What starts runs. Default: nothing can be started, the service only shows them. */
  readonly launcher?: RunLauncher
  /** Under which addresses browsers reach it through a proxy, such as `https://donecheck.example.org`. */
  readonly publicUrls?: readonly string[]
  /** What `/metrics` answers, in the text format of Prometheus. */
  readonly metrics?: () => Promise<string>
  /** Told of what failed unexpectedly, a line each. Default: nobody. */
  readonly log?: (line: string) => void
}

export interface RunningService {
  /** Such as `http://127.0.0.1:4321`. */
  readonly url: string
  /** Of the owner; null where users were given. */
  readonly token: string | null
  close(): Promise<void>
}

const keys = optionKeys<ServiceOptions>()(
  'store! host! port! users ownerRoles launcher publicUrls metrics log',
)

/**
 * Resolves when it listens; rejects where the address is taken. The store stays open when it is closed.
 * @throws {UsageError} for an address beyond the loopback without users
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  assertKnownKeys(options, keys, 'startService')
  const { store, host, launcher = null, publicUrls = [], metrics, log = () => undefined } = options
  if (options.users === undefined && !isLoopback(host))
    throw new UsageError(
      `${host} can be reached from elsewhere; name who may ask, in a file given with --token-file`,
    )
  const token = options.users === undefined ? newToken() : null
  const users = options.users ?? [
    knownUser({ name: ownerName, roles: options.ownerRoles ?? roles }, token ?? ''),
  ]
  const place = workplaceOf(store, launcher)
  const server = createServer(serverLimits)
  server.setTimeout(idleMs)
  const port = await listen(server, options)
  const address = { host, port }
  const parts = { place, users, origins: originsOf(address, publicUrls), port, metrics, log }
  const app = serviceApp({ ...parts, pageFiles: readPageFiles() })
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  server.on('request', (incoming, outgoing) => void answer(incoming, outgoing))
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    token,
    close: async () => {
      place.changes.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const ownerName = 'owner'

/** Whoever sends slowly is not waited for: a connection costs us as much as it costs them. */
const serverLimits = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
}
/** A listener who takes nothing for so long has gone: what was sent to it is not taken either. */
const idleMs = 120_000

/** @returns the port, resolved when it listens */
async function listen(server: Server, { host, port }: ServiceOptions): Promise<number> {
  await new Promise<void>((listens, fails) => {
    server.once('error', fails)
    server.listen(port, host, listens)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the service has no port')
  return address.port
}
