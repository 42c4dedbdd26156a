import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { serveHealth } from './up.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  await once(server.close(), 'close')
  return address !== null && typeof address === 'object' ? address.port : 0
}

it('tells probes whether the process lives, and whether it takes anything new', async () => {
  const port = await freePort()
  let isReady = true
  const health = await serveHealth({ host: '127.0.0.1', port }, () => isReady)
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  expect([await statusOf('/live'), await statusOf('/ready'), await statusOf('/')]).toEqual([200, 200, 404])
  isReady = false
  expect([await statusOf('/live'), await statusOf('/ready')]).toEqual([200, 503])
  await health.close()
})
