/** One service on one address. */
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { assertKnownKeys, optionKeys } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import { Hono } from 'hono'
import { securityHeaders } from './access/index.ts'
import { readPageFiles, type PageFile } from './page-files.ts'

export interface ServiceOptions {
  readonly store: Store
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

export interface RunningService {
  /** Such as `http://127.0.0.1:4321`. */
  readonly url: string
  close(): Promise<void>
}

const keys = optionKeys<ServiceOptions>()('store! host! port!')

/** Resolves when it listens; rejects where the address is taken. The store stays open when it is closed. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  assertKnownKeys(options, keys, 'startService')
  const { host, port } = options
  const server = createAdaptorServer({ fetch: serviceApp(readPageFiles()).fetch })
  await new Promise<void>((listens, fails) => {
    server.once('error', fails)
    server.listen(port, host, listens)
  })
  const { port: actual } = addressOf(server.address())
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => {
          closed()
        })
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new TypeError('the service has no port')
  return address
}

function serviceApp(files: ReadonlyMap<string, PageFile>): Hono {
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value)
  })
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('*', (context) => {
    const file = files.get(context.req.path) ?? files.get('/index.html')
    if (file === undefined) return context.notFound()
    const cache = file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'
    return context.body(file.content, 200, { 'Content-Type': file.type, 'Cache-Control': cache })
  })
  return app
}
