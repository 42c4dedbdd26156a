/** What Restate calls: a server of handlers, registered under an address of its own, so that what runs on it ends on it. */
import { once } from 'node:events'
import { createServer, type ServerHttp2Session } from 'node:http2'
import {
  createEndpointHandler,
  type EndpointOptions as Handling,
  type LoggerTransport,
} from '@restatedev/restate-sdk'
import type { RestateAdmin } from './admin.ts'
import { dispatcherObject, type DispatcherSettings } from './dispatcher.ts'
import { runObject } from './run-object.ts'

export interface Listening {
  readonly host: string
  /** 0: one that is free. */
  readonly port: number
}

export interface EndpointOptions {
  readonly listen: Listening
  /** How Restate reaches it. Default: host and port that it listens on. */
  readonly publicUrl?: string
  /** The last part of its address: another one for every version, and for every worker. */
  readonly path: string
  readonly admin: RestateAdmin
  /** Public keys of the Restate that alone may call, as it prints them. Absent: whoever reaches the address. */
  readonly identityKeys?: readonly string[]
  readonly log?: (message: string) => void
}

export interface ServedEndpoint {
  readonly url: string
  /** Where Restate knows it no more, because it was taken for lost, it is registered again. */
  stayRegistered(): Promise<void>
  close(): Promise<void>
}

/** Rejects where Restate cannot be reached, or cannot reach it. */
export async function serveEndpoint(
  services: Handling['services'],
  { listen, publicUrl, path, admin, identityKeys = [], log }: EndpointOptions,
): Promise<ServedEndpoint> {
  const handler = createEndpointHandler({
    services,
    identityKeys: [...identityKeys],
    logger: warningsTo(log ?? (() => undefined)),
  })
  const server = createServer(handler)
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  server.listen(listen.port, listen.host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : listen.port
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host
  const url = `${publicUrl ?? `http://${host}:${port}`}/${path}`
  const close = async () => {
    for (const session of sessions) session.destroy()
    server.close()
    await once(server, 'close')
  }
  try {
    let deploymentId = await admin.register(url)
    const stayRegistered = async () => {
      if (!(await admin.isRegistered(deploymentId))) deploymentId = await admin.register(url)
    }
    return { url, stayRegistered, close }
  } catch (error) {
    await close()
    throw error
  }
}

const bad: readonly string[] = ['warn', 'error']

function warningsTo(log: (message: string) => void): LoggerTransport {
  return ({ level }, message, ...rest: readonly unknown[]) => {
    const isBad = bad.includes(level)
    if (isBad) log([message, ...rest].map(String).join(' '))
  }
}

export interface CoordinatorOptions extends Omit<EndpointOptions, 'path'>, DispatcherSettings {
  /** Of its code: the objects of another one are served at another address. */
  readonly version: string
}

/** The objects of runs and of the dispatcher. They keep nothing here: it may be stopped, killed and started at any time. */
export async function serveCoordinator(options: CoordinatorOptions): Promise<ServedEndpoint> {
  const { version, admin } = options
  const path = `coordinator-${version}`
  return serveEndpoint([runObject(admin), dispatcherObject(options)], { ...options, path })
}
