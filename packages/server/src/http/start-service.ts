import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { assertKnownKeys, optionKeys, UsageError } from '@donecheck/engine/internal/base'
import type { Store } from '@donecheck/engine/internal/ports/store'
import {
  isLoopback,
  registerUser,
  newToken,
  listOrigins,
  roles,
  type Role,
  type Users,
} from '../access/index.ts'
import { createWorkplace, type RunLauncher } from '../api/index.ts'
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
  /** Starts runs. Default: none, which makes the service read-only. */
  readonly launcher?: RunLauncher
  readonly publicUrls?: readonly string[]
  readonly metrics?: () => Promise<string>
  /** Receives one line per unexpected error. Default: discarded. */
  readonly log?: (line: string) => void
}

export interface RunningService {
  readonly url: string
  /** The owner's token, or null if `users` was given. */
  readonly token: string | null
  close(): Promise<void>
}

const keys = optionKeys<ServiceOptions>()(
  'store! host! port! users ownerRoles launcher publicUrls metrics log',
)

/**
 * Starts the HTTP service. Rejects if the address is in use. Closing the service leaves the store open.
 * @throws {UsageError} if the host is not loopback and no users are given
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  assertKnownKeys(options, keys, 'startService')
  const { store, host, launcher = null, publicUrls = [], metrics, log = () => undefined } = options
  if (options.users === undefined && !isLoopback(host))
    throw new UsageError(
      `${host} is reachable from other machines; list its users in a file and pass it with --token-file`,
    )
  const token = options.users === undefined ? newToken() : null
  const users = options.users ?? [
    registerUser({ name: ownerName, roles: options.ownerRoles ?? roles }, token ?? ''),
  ]
  const workplace = createWorkplace(store, launcher)
  const server = createServer(serverLimits)
  server.setTimeout(idleMs)
  const port = await listen(server, options)
  const address = { host, port }
  const parts = { workplace, users, origins: listOrigins(address, publicUrls), port, metrics, log }
  const app = serviceApp({ ...parts, pageFiles: readPageFiles() })
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  server.on('request', (incoming, outgoing) => void answer(incoming, outgoing))
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    token,
    close: async () => {
      workplace.changes.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const ownerName = 'owner'

/** Disconnects slow clients, because an idle connection costs memory. */
const serverLimits = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
}
/** A client that reads nothing for this long is disconnected. */
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
