import { describe, expect, it, onTestFinished } from 'vitest'
import { startRawServer, type Answer } from './fixtures/raw-server.ts'
import { startWatch, watchFetch, type StartTimer } from './ask-model.ts'

/** A timer that a test fires. */
function manualTimer() {
  const timer: { running: boolean; refreshed: number; fire: () => void } = {
    running: false,
    refreshed: 0,
    fire: () => undefined,
  }
  const startTimer: StartTimer = (fire) => {
    timer.running = true
    timer.fire = fire
    return {
      refresh: () => {
        timer.refreshed += 1
      },
      stop: () => {
        timer.running = false
      },
    }
  }
  return { timer, startTimer }
}

async function givenServer(answer: Answer): Promise<string> {
  const server = await startRawServer(answer)
  onTestFinished(() => server.close())
  return server.baseUrl
}

describe('given a request that is watched', () => {
  it('sees every piece of the answer, comments too, and changes nothing of it', async () => {
    const { timer, startTimer } = manualTimer()
    const watch = startWatch(100, startTimer)
    const url = await givenServer((response) => {
      response.writeHead(200, { 'x-kept': 'yes' })
      response.write(': still thinking\n\n')
    })
    const response = await watchFetch(watch)(url, { method: 'POST', body: '{}' })
    expect(response.headers.get('x-kept')).toBe('yes')
    const reader = new Response(response.body).body?.pipeThrough(new TextDecoderStream()).getReader()
    const piece = await reader?.read()
    expect(piece?.value).toBe(': still thinking\n\n')
    expect(timer.refreshed).toBeGreaterThan(1)
    await reader?.cancel()
  })

  it('does not take a refusal for the begin of a reply', async () => {
    const { startTimer } = manualTimer()
    const watch = startWatch(100, startTimer)
    const url = await givenServer((response) => response.writeHead(503).end('busy'))
    const response = await watchFetch(watch)(url)
    expect(await response.text()).toBe('busy')
    expect(watch.hasResponded()).toBe(false)
  })
})
