import { describe, expect, it } from 'vitest'
import { lookFor } from './forget-lost.ts'

type Stage = 'placed' | 'waiting' | 'queued'

/** One run that waits for a question, and what has happened since the last look. */
function given() {
  const woken: string[] = []
  const now = {
    stage: 'waiting' as Stage,
    isAnswered: false,
    isAway: false,
    others: [] as string[],
    news: ['R1'],
  }
  const request = { runId: 'R1', tenant: 't', priority: 0, labels: [] }
  const asked = { kind: 'waiting' as const, for: { kind: 'question' as const, id: 'q' } }
  const look = lookFor({
    client: {
      status: async () => {
        const stage =
          now.stage === 'placed' ? { kind: now.stage, workerId: 'w', sinceMs: 0 } : { kind: now.stage }
        const run = { request, submittedMs: 0, attempt: 1, stage }
        const others = now.others.map((tenant) => ({
          ...run,
          request: { ...request, runId: tenant, tenant },
        }))
        return { runs: [...others, run], workers: [], usedMs: {}, virtualMs: 0, providers: {}, limits: {} }
      },
      run: async () => ({
        ...{ request: { ...request, task: 't', settings: {} }, attempt: 1, phase: asked },
        ...{ isWoken: false, isOrphan: false, breaks: 0, problem: '', watchers: [] },
      }),
      wake: async (runId) => {
        if (now.isAway) throw new TypeError('fetch failed')
        woken.push(runId)
      },
    },
    storeOf: async (tenant) => {
      if (tenant !== 't') throw new TypeError('there is no such tenant')
      return {
        changes: async () => ({ latest: 1, runIds: now.news.splice(0) }),
        question: async () => questionOf(now.isAnswered),
      }
    },
  })
  return { now, woken, look }
}

function questionOf(isAnswered: boolean) {
  const answer = { approved: true, by: 'ada', reason: '', answeredAtMs: 1 }
  return { answer: isAnswered ? answer : null, isWithdrawn: false }
}

describe('given a run that waits for an answer', () => {
  it('then it is woken once, when the answer is in the store', async () => {
    const { now, woken, look } = given()
    await look()
    expect(woken).toEqual([])
    Object.assign(now, { isAnswered: true, news: ['R1'] })
    await look()
    await look()
    expect(woken).toEqual(['R1'])
  })

  it('then a tenant whose record cannot be asked holds up no other', async () => {
    const { now, woken, look } = given()
    Object.assign(now, { isAnswered: true, others: ['no such'] })
    await expect(look()).rejects.toThrow('no such tenant')
    expect(woken).toEqual(['R1'])
  })

  it('then an answer that came while its worker still had it is not forgotten', async () => {
    const { now, woken, look } = given()
    Object.assign(now, { stage: 'placed', isAnswered: true })
    await look()
    expect(woken).toEqual([])
    now.stage = 'waiting'
    await look()
    expect(woken).toEqual(['R1'])
  })
})
