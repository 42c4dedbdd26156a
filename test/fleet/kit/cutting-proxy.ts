/** A wire on loopback that can be cut at any byte of what goes over it. */
import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'

export interface CuttingProxy {
  readonly port: number
  /** So many bytes go through from now on, in both directions together; then the connection that has the last of them is cut. */
  readonly cutAfter: (bytes: number) => void
  /** Whether that has happened. What was not cut by now goes on whole. */
  readonly hasCut: () => boolean
  readonly close: () => Promise<void>
}

export async function cuttingProxy(targetPort: number): Promise<CuttingProxy> {
  let left = Number.POSITIVE_INFINITY
  let cuts = 0
  const sockets = new Set<Socket>()

  /** The other end sees what came before the cut, and then the end of the connection. */
  function hand(from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      if (chunk.length <= left) {
        left -= chunk.length
        to.write(chunk)
        return
      }
      const through = chunk.subarray(0, left)
      left = Number.POSITIVE_INFINITY
      cuts += 1
      to.end(through)
      from.destroy()
    })
    from.on('error', () => undefined)
    from.once('close', () => to.end())
  }

  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    hand(client, target)
    hand(target, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    port: address.port,
    cutAfter(bytes) {
      cuts = 0
      left = bytes
    },
    hasCut() {
      left = Number.POSITIVE_INFINITY
      return cuts > 0
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
