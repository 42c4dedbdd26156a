/** Two addresses for whoever watches a process from outside, such as Kubernetes. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ListenAddress } from '@donecheck/server'

export interface Health {
  close(): Promise<void>
}

/** @param isReady false: it takes nothing new. `/live` says yes for as long as the process answers. */
export async function serveHealth({ host, port }: ListenAddress, isReady: () => boolean): Promise<Health> {
  const server = createServer(({ url }, response) => {
    const known = url === '/live' || url === '/ready'
    const good = url === '/live' || isReady()
    response.writeHead(known ? (good ? 200 : 503) : 404, { 'content-type': 'text/plain' })
    response.end(known ? (good ? 'ok\n' : 'draining\n') : 'ask /live or /ready\n')
  })
  await once(server.listen(port, host), 'listening')
  return {
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
