import { once } from 'node:events'
import { createServer } from 'node:net'

/** Of this machine, until somebody takes it. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new TypeError('a listening server has a port')
  return address.port
}
