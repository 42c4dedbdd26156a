import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { assertKnownKeys, optionKeys, UsageError } from '@donecheck/engine/internal/base'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { isLoopback, knownUser, newToken, originsOf, roles, type Role, type Users } from '../access/index.ts'
import { workplaceOf, type RunLauncher } from '../api/index.ts'
import { readPageFiles } from './report-page.ts'
import { serviceApp } from './service-app.ts'

export interface ServiceOptions {
  readonly store: Store
  readonly host: string
  readonly port: number
  /** Users from `readTokenFile`. Default: one owner with a new token, on the loopback only. */
  readonly users?: Users
  /** Roles of the default owner. Default: all. */
  readonly ownerRoles?: readonly Role[]
  /** Starts runs. Without it the service only shows runs. */
  readonly launcher?: RunLauncher
  readonly publicUrls?: readonly string[]
  readonly metrics?: () => Promise<string>
  /** Receives a line per unexpected failure. Default: dropped. */
  readonly log?: (line: string) => void
}

export interface RunningService {
  readonly url: string
  /** The owner's token. Null if `users` was given. */
  readonly token: string | null
  close(): Promise<void>
}

const keys = optionKeys<ServiceOptions>()(
  'store! host! port! users ownerRoles launcher publicUrls metrics log',
)

/**
 * Resolves when it listens; rejects if the address is taken. Closing it leaves the store open.
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

/** Limits slow clients, because a connection costs us as much as them. */
const serverLimits = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
}
/** A listener that reads nothing for this long counts as gone. */
const idleMs = 120_000

async function listen(server: Server, { host, port }: ServiceOptions): Promise<number> {
  await new Promise<void>((listens, fails) => {
    server.once('error', fails)
    server.listen(port, host, listens)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the service has no port')
  return address.port
}
