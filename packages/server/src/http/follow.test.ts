import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { sampleRun, sampleTurns } from '@donecheck/core/testing'
import { memoryStore } from '@donecheck/engine/store'
import { askedService, storeWithRun, tokens } from './fixtures/asked-service.ts'
import { listen } from './fixtures/listen.ts'

const all = sampleRun()
const sequences = all.map(({ sequence }) => String(sequence))

describe('given a run that has stopped', () => {
  it('a listener is told every event as it is stored, once, in order, and then the end', async () => {
    const { ask } = askedService({ store: await storeWithRun() })
    const told = await listen(await ask('GET /api/runs/run-1/stream'))
    expect(told.map(({ id }) => id)).toEqual([...sequences, undefined])
    expect(told.at(0)).toMatchObject({
      event: 'run-event',
      data: JSON.parse(JSON.stringify(all[0])) as object,
    })
    expect(told.at(-1)).toMatchObject({ event: 'end', data: { sequence: all.length } })
  })

  it.each(['x', '-1', '1.5', '99999999999999999999'])('Last-Event-ID %s is refused', async (id) => {
    const { ask } = askedService({ store: await storeWithRun() })
    expect((await ask('GET /api/runs/run-1/stream', { headers: { 'last-event-id': id } })).status).toBe(400)
  })
})

describe('given a program that never hangs up', () => {
  it('it is refused at some point, others are not, and it may come again once it lets go', async () => {
    const { ask } = askedService({ store: await storeWithRun() })
    const streams: Response[] = []
    let refused: Response | undefined
    while (refused === undefined) {
      const answer = await ask('GET /api/stream')
      if (answer.status === 200) streams.push(answer)
      else refused = answer
    }
    expect([refused.status, streams.length]).toEqual([429, 500])
    expect((await ask('GET /api/stream', { token: tokens.read })).status).toBe(200)
    await streams[0]?.body?.cancel()
    expect((await ask('GET /api/stream')).status).toBe(200)
    for (const stream of streams.slice(1)) await stream.body?.cancel()
  })
})

describe('given a run that goes on, and listeners that come, break off and come back', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 })
  test.prop([pieces, fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 6 })], { numRuns: 20 })(
    'each of them is told all of it, without a gap and nothing twice',
    async (appends, breaks) => {
      const store = memoryStore()
      const events = [...sampleTurns(20)]
      const begin = events.splice(0, 2)
      await store.append(0, begin, null)
      const service = askedService({ store })
      const writing = (async () => {
        let written = begin.length
        for (const size of [...appends, events.length]) {
          const piece = events.splice(0, size)
          if (piece.length > 0) await store.append(written, piece, null)
          written += piece.length
        }
        return written
      })()
      const seen: string[] = []
      for (const count of breaks) seen.push(...(await heard(service, seen.at(-1), count)))
      const total = await writing
      while (seen.length < total) seen.push(...(await heard(service, seen.at(-1), total - seen.length)))
      expect(seen).toEqual(Array.from({ length: total }, (_, index) => String(index + 1)))
      service.close()
    },
  )
})

/** At most as many as there can still be: a listener that waits for more would wait for ever. */
async function heard(
  { ask, store }: ReturnType<typeof askedService>,
  after: string | undefined,
  wanted: number,
): Promise<readonly string[]> {
  const left = 42 - Number(after ?? 0)
  if (left <= 0) return []
  const headers = after === undefined ? {} : { 'last-event-id': after }
  const answer = await ask('GET /api/runs/run-1/stream', { headers })
  expect(await store.summary('run-1')).toBeDefined()
  return (await listen(answer, Math.min(wanted, left))).flatMap(({ id }) => id ?? [])
}

describe('given a hundred listeners of one run', () => {
  it('the store is read once for all of them, and each is told the same', async () => {
    const store = await storeWithRun()
    let reads = 0
    const counted = {
      ...store,
      readAfter: (...asked: Parameters<typeof store.readAfter>) => ((reads += 1), store.readAfter(...asked)),
    }
    const service = askedService({ store: counted })
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => service.ask('GET /api/runs/run-1/stream')),
    )
    const told = await Promise.all(answers.map((answer) => listen(answer)))
    for (const each of told) expect(each.length).toBe(all.length + 1)
    expect(reads).toBeLessThan(10)
    service.close()
  })
})

describe('given a listener of all runs', () => {
  it('is told at once how many questions are open, then what changes, and goes on where it was', async () => {
    const store = await storeWithRun()
    const service = askedService({ store })
    const first = await service.ask('GET /api/stream')
    const hearing = listen(first, 2)
    await store.append(0, sampleRun('run-2'), null)
    const [questions, run] = await hearing
    expect(questions).toMatchObject({ event: 'questions', data: { open: 0 } })
    expect(run).toMatchObject({ event: 'run', data: { runId: 'run-2', outcome: 'verified' } })

    await store.append(0, sampleRun('run-3'), null)
    const headers = { 'last-event-id': run?.id ?? '' }
    const again = await listen(await service.ask('GET /api/stream', { headers }), 2)
    expect(again.map(({ event }) => event).toSorted()).toEqual(['questions', 'run'])
    expect(again.find(({ event }) => event === 'run')).toMatchObject({ data: { runId: 'run-3' } })
    service.close()
  })
})
