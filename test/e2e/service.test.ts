/** The service as a process: runs begun through it outlive it, and nobody who listens misses an event. */
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inPlace, type Place } from './donecheck.ts'
import { listenTo, type Heard } from './listen-to.ts'
import { serve, token, users } from './serving.ts'

const begun = z.object({ runId: z.string() })

/** Works for as long as nobody lets it go on. */
const agent = `echo working > reached.txt\nuntil test -e go.txt; do sleep 0.05; done\necho done > done.txt\necho Done.\n`
const task = { task: 'make the file', agent: 'sh agent.sh', until: ['test -e done.txt'] }

const withService = <Value>(work: (place: Place) => Promise<Value>) =>
  inPlace({ 'agent.sh': agent, '../home/tokens.json': users }, work)

describe('given a run that was begun through the service', () => {
  it('it is cancelled as by Ctrl-C, gone on with, and what cannot begin says why', async () => {
    await withService(async (place) => {
      const { ask, url, started } = await serve(place)
      const { runId } = begun.parse(await (await ask('POST', '/api/runs', task)).json())
      const heard: Heard[] = []
      const hearing = listenTo(`${url}/api/runs/${runId}/stream`, token, heard)
      await expect.poll(() => heard.some(({ type }) => type === 'model-called')).toBe(true)
      // By two at once, which is not Ctrl-C twice.
      const cancelled = [1, 2].map(async () => (await ask('POST', `/api/runs/${runId}/cancel`, {})).json())
      expect(await Promise.all(cancelled)).toEqual([{ how: 'interrupted' }, { how: 'interrupted' }])
      await hearing
      const run = async () => (await ask('GET', `/api/runs/${runId}`)).json()
      expect(await run()).toMatchObject({ run: { outcome: 'interrupted', reason: 'user_interrupt' } })
      await place.write('go.txt', '')
      expect((await ask('POST', `/api/runs/${runId}/resume`, {})).status).toBe(202)
      await expect.poll(run).toMatchObject({ run: { outcome: 'verified' } })

      for (const [body, words] of [
        [{ ...task, agent: undefined, model: undefined }, 'agent'],
        [{ ...task, workFolder: '/' }, 'must lie in'],
        [{ ...task, workFolder: 'nowhere' }, 'does not exist'],
      ] as const) {
        const refused = await ask('POST', '/api/runs', body)
        expect(refused.status).toBe(422)
        expect(await refused.text()).toContain(words)
      }
      started.child.kill('SIGINT')
      await started.ended
    })
  })
})

describe('given whoever sends slowly, or what is no request', () => {
  it('is not waited for, and gets no header of their own', async () => {
    await withService(async (place) => {
      const { url, started } = await serve(place)
      const host = new URL(url).host
      const start = `POST /api/runs HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`
      const answers = await Promise.all([
        spoken(url, 'GET /healthz HTTP/1.1\r\nX-Slow: 1'),
        spoken(url, `${start}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"task"`),
        spoken(
          url,
          `GET /login?token=x%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        ),
        spoken(url, `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
        spoken(url, 'GET /healthz HTTP/1.1\r\n\r\n'),
      ])
      expect(answers.map((answer) => answer.split('\r\n')[0])).toEqual([
        'HTTP/1.1 408 Request Timeout',
        'HTTP/1.1 408 Request Timeout',
        'HTTP/1.1 401 Unauthorized',
        'HTTP/1.1 431 Request Header Fields Too Large',
        'HTTP/1.1 400 Bad Request',
      ])
      expect(answers.join('').toLowerCase()).not.toContain('\nset-cookie')
      started.child.kill('SIGINT')
      await started.ended
    })
  })
})

/** What is answered until the service hangs up. */
function spoken(url: string, words: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(Number(port), hostname, () => socket.write(words))
    socket.setEncoding('utf8').on('data', (piece: string) => {
      heard += piece
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      resolve(heard)
    })
  })
}

describe('given a run that was exported', () => {
  it('serve --read-only shows it to one who may read, and to nobody without the link', async () => {
    await withService(async (place) => {
      await place.write('go.txt', '')
      await place.run(['run', '--agent', 'sh agent.sh', '--until', 'test -e done.txt', 'make the file'])
      await place.run(['export', 'last', '--output', 'run.jsonl'])
      const started = place.start(['serve', '--read-only', 'run.jsonl'])
      await started.shows('Ctrl-C ends it')
      started.child.kill('SIGINT')
      const link = new URL((await started.ended).stdout.split('\n')[0] ?? '')
      expect(link.searchParams.get('to')).toMatch(/^\/runs\/[0-9A-Z]{26}$/)
    })
  })

  it('what others could reach is not served without users', async () => {
    await withService(async (place) => {
      const { exitCode, stderr } = await place.run(['serve', '--listen', '0.0.0.0:0'])
      expect(exitCode).toBe(2)
      expect(stderr).toContain('--token-file')
    })
  })
})
