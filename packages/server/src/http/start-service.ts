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
  /** Who may ask, as `readTokenFile` gives them. Default: one owner with every role and a token that is made now; on the loopback alone. */
  readonly users?: Users
  /** The roles of that owner. Defaults to all roles. */
  readonly ownerRoles?: readonly Role[]
  /** Starts runs. Without it nothing can be started, and the service only shows runs. */
  readonly launcher?: RunLauncher
  readonly publicUrls?: readonly string[]
  readonly metrics?: () => Promise<string>
  /** Receives one line for each unexpected failure. By default these are dropped. */
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

async function listen(server: Server, { host, port }: ServiceOptions): Promise<number> {
  await new Promise<void>((listens, fails) => {
    server.once('error', fails)
    server.listen(port, host, listens)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the service has no port')
  return address.port
}
