/** A sender of webhooks that is killed again and again, each time while a receiver has a request and has not answered. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { bundled } from './bundled.ts'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { openSqliteStore } from '@donecheck/engine/store'
import { runStarted, stamp } from '@donecheck/core/testing'
import { goalSet, runStopped } from '@donecheck/core/internal/testing/facts'

const secret = Buffer.alloc(32, 7).toString('base64')
const kills = 6
const runsBetween = 3

it('nothing is lost, and nothing arrives under two ids', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-webhook-crash-'))
  const store = openSqliteStore({ folder })
  const { program, environment, remove } = await bundled('webhooking.ts')
  const receiver = await startReceiver()
  const start = (laterMs: number) =>
    startSender([program, folder, receiver.url, secret, String(laterMs)], environment)
  const all: string[] = []
  let sender = await start(0)
  try {
    for (let round = 1; round <= kills; round += 1) {
      const killed = once(sender, 'exit')
      receiver.killAt(1 + (round % runsBetween), sender)
      for (let count = 0; count < runsBetween; count += 1) {
        all.push(`run-${all.length + 1}`)
        await endRun(store, `run-${all.length}`)
      }
      await killed
      sender = await start(round * 60_000)
    }
    await expect.poll(() => [...receiver.idsOf.keys()].toSorted()).toEqual(all.toSorted())
    expect([...receiver.idsOf.values()].map((ids) => ids.length)).toEqual(all.map(() => 1))
    // Each kill has left one without an answer.
    expect(receiver.requests()).toBeGreaterThanOrEqual(all.length + kills)
  } finally {
    sender.kill('SIGKILL')
    receiver.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
    await remove()
  }
})

/** Resolves when it is at work. */
async function startSender(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const started = spawn(process.execPath, [...words], { env: environment, stdio: [...stdio] })
  await once(started.stdout, 'data')
  return started
}

async function endRun(store: Store, runId: string): Promise<void> {
  const end = runStopped('task_complete', { outcome: 'verified' })
  await store.append(0, stamp([runStarted(), goalSet(), end], { runId, startMs: Date.now() }), null)
}

async function startReceiver() {
  /** By the run that is told of, the different ids under which that came. */
  const idsOf = new Map<string, readonly string[]>()
  let requests = 0
  let left = Infinity
  let victim: ChildProcess | undefined
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests += 1
      const runId = /"runId":"(run-\d+)"/.exec(body)?.[1] ?? '(none)'
      const ids = idsOf.get(runId) ?? []
      idsOf.set(runId, [...new Set([...ids, String(request.headers['webhook-id'])])])
      left -= 1
      if (left === 0) victim?.kill('SIGKILL')
      else response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    idsOf,
    requests: () => requests,
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
    /** That request gets no answer, and who has sent it dies. */
    killAt(request: number, child: ChildProcess) {
      left = request
      victim = child
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
