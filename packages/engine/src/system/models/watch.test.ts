import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startRawServer, type Answer } from './fixtures/raw-server.ts'
import { startWatch, watchFetch } from './ask-model.ts'

function givenWatch(): ReturnType<typeof startWatch> {
  const watch = startWatch(60_000)
  onTestFinished(watch.stop)
  return watch
}

async function givenServer(answer: Answer): Promise<string> {
  const server = await startRawServer(answer)
  onTestFinished(() => server.close())
  return server.baseUrl
}

describe('given a request that is watched', () => {
  it('sees every piece of the answer, comments too, and changes nothing of it', async () => {
    const watch = givenWatch()
    const touch = vi.spyOn(watch, 'touch')
    const url = await givenServer((response) => {
      response.writeHead(200, { 'x-kept': 'yes' })
      response.write(': still thinking\n\n')
    })
    const response = await watchFetch(watch)(url, { method: 'POST', body: '{}' })
    expect(response.headers.get('x-kept')).toBe('yes')
    const reader = new Response(response.body).body?.pipeThrough(new TextDecoderStream()).getReader()
    const piece = await reader?.read()
    expect(piece?.value).toBe(': still thinking\n\n')
    expect(touch.mock.calls.length).toBeGreaterThan(1)
    await reader?.cancel()
  })

  it('does not take a refusal for the begin of a reply', async () => {
    const watch = givenWatch()
    const url = await givenServer((response) => response.writeHead(503).end('busy'))
    const response = await watchFetch(watch)(url)
    expect(await response.text()).toBe('busy')
    expect(watch.hasResponded()).toBe(false)
  })
})
