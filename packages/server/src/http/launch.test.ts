import { describe, expect, it } from 'vitest'
import { sampleRun, stamp, runStarted } from '@donecheck/core/testing'
import { goalSet } from '@donecheck/core/internal/testing/facts'
import { UsageError } from '@donecheck/engine/internal/base'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { memoryStore } from '@donecheck/engine/store'
import { askedService, storeWithRun, tokens } from './fixtures/asked-service.ts'
import type { RunLauncher } from '../api/index.ts'

const never = new Promise<string>(() => undefined)

/** Begins each run by its first events, and counts. */
function beginning(store: Store): RunLauncher & { readonly begun: string[] } {
  const begun: string[] = []
  return {
    begun,
    async start(runId, { task }) {
      begun.push(runId)
      await store.append(0, stamp([runStarted(), goalSet(task)], { runId }), null)
      return { ended: never }
    },
    resume: async (runId) => {
      begun.push(runId)
      const before = await store.read(runId)
      const more = [...before, ...sampleRun(runId).slice(0, 1)].length
      await store.append(
        before.length,
        sampleRun(runId)
          .slice(0, 1)
          .map((event) => ({ ...event, sequence: more, id: 'new' })),
        null,
      )
      return { ended: never }
    },
  }
}

describe('given a request to begin a run', () => {
  const task = { task: 'make the tests pass', until: ['npm test'] }

  it('it is answered with the id once the run is in the store', async () => {
    const store = memoryStore()
    const launcher = beginning(store)
    const answer = await askedService({ store, launcher }).ask('POST /api/runs', { body: task })
    expect(answer.status).toBe(202)
    const { runId } = (await answer.json()) as { runId: string }
    expect(launcher.begun).toEqual([runId])
    expect(await store.summary(runId)).toMatchObject({ task: task.task })
  })

  it('the same key is the same run: at once, later, and after a restart of the service', async () => {
    const store = memoryStore()
    const launcher = beginning(store)
    const asking = { body: task, headers: { 'idempotency-key': 'build 17' } }
    const refused = await askedService({ store, launcher }).ask('POST /api/runs', asking)
    expect(refused.status).toBe(400)
    const keyed = { body: task, headers: { 'idempotency-key': 'build-17' } }
    const { ask } = askedService({ store, launcher })
    const answers = await Promise.all([ask('POST /api/runs', keyed), ask('POST /api/runs', keyed)])
    answers.push(
      await ask('POST /api/runs', keyed),
      await askedService({ store, launcher }).ask('POST /api/runs', keyed),
    )
    const ids = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { runId: string }).runId),
    )
    expect(new Set(ids).size).toBe(1)
    expect(launcher.begun).toHaveLength(1)
  })

  it('the same key for another request is refused, and of another user it is another run', async () => {
    const store = memoryStore()
    const launcher = beginning(store)
    const { ask } = askedService({ store, launcher })
    const headers = { 'idempotency-key': 'build-17' }
    const other = { body: { task: 'something else' }, headers }
    const [first, second] = [ask('POST /api/runs', { body: task, headers }), ask('POST /api/runs', other)]
    expect([(await first).status, (await second).status]).toEqual([202, 409])
    expect((await ask('POST /api/runs', other)).status).toBe(409)
    const dearer = { body: { ...task, maxCostUsd: 100 }, headers }
    expect((await ask('POST /api/runs', dearer)).status).toBe(409)
    const turned = { body: Object.fromEntries(Object.entries(task).reverse()), headers }
    expect((await ask('POST /api/runs', turned)).status).toBe(202)
    expect((await ask('POST /api/runs', { body: task, headers, token: tokens.run })).status).toBe(202)
    expect(launcher.begun).toHaveLength(2)
  })

  it('what cannot begin is told in the words of the process, and may be asked again', async () => {
    const launcher: RunLauncher = {
      start: async () =>
        Promise.resolve({ ended: Promise.resolve('donecheck: no agent is called "klaude"') }),
      resume: async () => Promise.reject(new UsageError('not here')),
    }
    const { ask } = askedService({ store: await storeWithRun(), launcher })
    for (const time of ['first', 'again']) {
      const answer = await ask('POST /api/runs', { body: task, headers: { 'idempotency-key': 'k' } })
      expect([answer.status, await answer.json()], time).toEqual([
        422,
        { error: { code: 'refused', message: 'donecheck: no agent is called "klaude"' } },
      ])
    }
    expect((await ask('POST /api/runs/run-1/resume')).status).toBe(422)
  })

  it('what would end in the middle of a word of a command line is refused', async () => {
    const { ask } = askedService({ launcher: beginning(memoryStore()) })
    for (const fields of [{ until: ['a\0b'] }, { agent: 'a\0b' }, { workFolder: 'a\0b' }, { tags: ['\0'] }])
      expect((await ask('POST /api/runs', { body: { ...task, ...fields } })).status).toBe(400)
  })
})

describe('given a run that is to go on', () => {
  it('it is answered once it does', async () => {
    const store = await storeWithRun()
    const launcher = beginning(store)
    const answer = await askedService({ store, launcher }).ask('POST /api/runs/run-1/resume', {
      body: { topUp: { turns: 10, 'cost-usd': 0.5 } },
    })
    expect([answer.status, launcher.begun]).toEqual([202, ['run-1']])
  })

  it('two who resume it at the same moment do not both believe that their amount was added', async () => {
    const store = await storeWithRun()
    const launcher = beginning(store)
    const { ask } = askedService({ store, launcher })
    const answers = await Promise.all(
      [10, 20].map((turns) => ask('POST /api/runs/run-1/resume', { body: { topUp: { turns } } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
    expect(launcher.begun).toEqual(['run-1'])
  })
})

describe('given a run that is to be cancelled', () => {
  it('where no process holds it, its goal is paused; one that has stopped stays so', async () => {
    const store = memoryStore()
    await store.append(0, sampleRun().slice(0, 5), null)
    const { ask } = askedService({ store })
    expect(await (await ask('POST /api/runs/run-1/cancel', { body: { reason: 'not now' } })).json()).toEqual({
      how: 'paused',
    })
    const [kept] = await store.goalRequests('run-1', 0)
    expect(kept?.request).toMatchObject({ by: 'all', change: { kind: 'paused', reason: 'not now' } })
    expect(await store.leaseOf('run run-1')).toBeUndefined()
  })

  it('where the number of its process belongs to another one now, nobody is interrupted', async () => {
    const store = memoryStore()
    await store.append(0, sampleRun().slice(0, 5), null)
    await store.acquire({
      name: 'run run-1',
      holder: { ...holder, processId: process.pid },
      ttlMs: 60_000,
    })
    const { ask } = askedService({ store })
    expect(await (await ask('POST /api/runs/run-1/cancel')).json()).toEqual({ how: 'paused' })
  })
})

const holder = { host: 'elsewhere', processId: 1, processStart: '1', purpose: 'a test' }
