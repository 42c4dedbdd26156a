import { describe, expect, it } from 'vitest'
import { sampleRun, sampleTurns } from '@donecheck/core/testing'
import { memoryStore } from '@donecheck/engine/store'
import { askedService, storeWithRun } from './fixtures/asked-service.ts'
import { allRoutes } from './fixtures/all-routes.ts'

const gets = allRoutes.flatMap(({ method, path, answer }) =>
  method === 'get' && answer !== undefined ? [[path, answer] as const] : [],
)

describe('given a store with a run of every kind of event', () => {
  it.each(gets)('%s answers as the document says', async (path, shape) => {
    const service = askedService({ store: await storeWithRun() })
    const answer = await service.ask(`GET ${path.replace('{id}', 'run-1')}`)
    const value: unknown = await answer.json()
    expect([answer.status, shape.safeParse(value).error]).toEqual([200, undefined])
  })
})

describe('given many runs', () => {
  it('they are listed page by page, each once, the latest begun first', async () => {
    const store = await storeWithRun('run-0')
    for (let number = 1; number < 7; number += 1)
      await store.append(
        0,
        sampleRun(`run-${number}`).map((event) => ({ ...event, timeMs: event.timeMs + number })),
        null,
      )
    const { ask } = askedService({ store })
    const seen: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const cursor: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`
      const page = (await (await ask(`GET /api/runs?limit=3${cursor}`)).json()) as {
        runs: { runId: string }[]
        next: string | null
      }
      seen.push(...page.runs.map(({ runId }) => runId))
      ;({ next } = page)
    }
    expect(seen).toEqual(['run-6', 'run-5', 'run-4', 'run-3', 'run-2', 'run-1', 'run-0'])
  })

  it.each([
    ['outcome=verified', 1],
    ['outcome=failed', 0],
    ['open=true', 0],
    ['open=false', 1],
    ['text=make', 1],
    ['text=nothing+of+it', 0],
    ['tag=nightly', 0],
  ])('?%s finds %i', async (query, count) => {
    const { ask } = askedService({ store: await storeWithRun() })
    expect(await (await ask(`GET /api/runs?${query}`)).json()).toMatchObject({ runs: { length: count } })
  })

  it.each(['limit=0', 'limit=201', 'limit=x', 'outcome=great', 'cursor=nonsense', 'unknown=1', 'open=maybe'])(
    '?%s is refused',
    async (query) => {
      const { ask, logged } = askedService({ store: await storeWithRun() })
      const { status } = await ask(`GET /api/runs?${query}`)
      expect([400, 422]).toContain(status)
      expect(logged).toEqual([])
    },
  )
})

describe('given a question that a run has kept', () => {
  const question = {
    id: 'q-1',
    runId: 'run-1',
    askedAtMs: 1,
    subject: { kind: 'done', check: 'person', question: 'Is it done?', details: '' },
  } as const

  it('it is listed, and the first answer holds, also when it is given again', async () => {
    const store = await storeWithRun()
    await store.keepQuestion(question)
    const { ask } = askedService({ store })
    expect(await (await ask('GET /api/questions')).json()).toMatchObject({
      questions: [{ id: 'q-1', answer: null }],
    })
    const yes = { body: { approved: true, reason: 'looks right' } }
    for (const time of ['first', 'again']) {
      const answered = await ask('POST /api/questions/q-1/answer', yes)
      expect(answered.status, time).toBe(200)
      expect(await answered.json()).toMatchObject({
        answer: { approved: true, by: 'all', reason: 'looks right' },
      })
    }
    const no = await ask('POST /api/questions/q-1/answer', { body: { approved: false } })
    expect(no.status).toBe(409)
    expect(await no.text()).toContain('all already approved it')
    expect(await (await ask('GET /api/questions')).json()).toEqual({ questions: [] })
  })

  it('who waits is told at once when it comes, and when it is gone', async () => {
    const store = await storeWithRun()
    const { ask, close } = askedService({ store })
    const coming = ask('GET /api/questions?wait=50')
    await store.keepQuestion(question)
    expect(await (await coming).json()).toMatchObject({ questions: [{ id: 'q-1' }] })
    const going = ask('GET /api/questions?wait=50&known=q-1')
    await store.withdrawQuestion('q-1')
    expect(await (await going).json()).toEqual({ questions: [] })
    close()
  })
})

describe('given a change of the goal', () => {
  it('it is kept for the run, by name', async () => {
    const store = memoryStore()
    await store.append(0, sampleTurns(1), null)
    const { ask } = askedService({ store })
    const body = { change: { kind: 'message-given', text: 'be brief' } }
    const answer = await ask('POST /api/runs/run-1/goal', { body })
    expect(await answer.json()).toMatchObject({ unanswered: [{ by: 'all', change: body.change }] })
  })
})
