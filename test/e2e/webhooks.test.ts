/** The service as a process tells a receiver, and Prometheus, of a run that another process did. */
import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inPlace } from './donecheck.ts'

const secret = randomBytes(32).toString('base64')
const announced = z.object({ url: z.string(), token: z.string() })

/** Takes what the standard's library takes, of now and signed. */
async function withReceiver(work: (url: string, taken: readonly unknown[]) => Promise<void>): Promise<void> {
  const taken: unknown[] = []
  const library = new Webhook(secret)
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      taken.push(library.verify(body, headers))
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  try {
    await work(
      `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
      taken,
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('given a service with a webhook', () => {
  it('then a run of another process is told, signed, and counted for Prometheus', async () => {
    await withReceiver((receiver, taken) =>
      inPlace({ '../home/secret': secret }, async (place) => {
        const secretFile = join(place.home, 'secret')
        chmodSync(secretFile, 0o600)
        const webhook = ['--webhook', receiver, '--webhook-secret-file', secretFile]
        const service = place.start(['serve', '--listen', '127.0.0.1:0', '--json', ...webhook])
        const line = await once(service.child.stdout ?? service.child, 'data')
        const { url, token } = announced.parse(JSON.parse(line.join('')))
        await place.run(['run', '--until', 'true', '--agent', 'touch made.txt', 'Make it.'])
        await expect.poll(() => taken.length).toBe(1)
        expect(taken[0]).toMatchObject({ data: { task: 'Make it.' } })
        const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
        expect(await metrics.text()).toMatch(
          /^donecheck_runs_total\{reason="\w+",outcome="\w+",cap="",detector=""\} 1$/m,
        )
        service.child.kill('SIGTERM')
        expect((await service.ended).exitCode).toBe(0)
      }),
    )
  })

  it('then a webhook without a secret is misuse that says what to type', async () => {
    const ended = await inPlace({}, (place) => place.run(['serve', '--webhook', 'https://example.org/']))
    expect(ended.stderr).toContain('--webhook needs --webhook-secret-file FILE')
    expect(ended.exitCode).toBe(2)
  })
})
