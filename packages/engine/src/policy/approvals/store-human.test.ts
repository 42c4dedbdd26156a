import { describe, expect, it } from 'vitest'
import type { HumanAnswer, HumanQuestion } from '../../ports/checks.ts'
import { memoryStore } from '../../system/store/index.ts'
import { storeHuman } from './store-human.ts'

const never = new AbortController().signal
const question: HumanQuestion = {
  runId: 'run-1',
  check: 'the page',
  question: 'Is it done?',
  details: '+ line',
}

describe('given a question whether it is done', () => {
  it('waits in vain for its time, stays open, and finds the answer when it is asked again', async () => {
    const store = memoryStore()
    const time = new AbortController()
    const asked = storeHuman({ store, intervalMs: 1 }).ask(question, time.signal)
    await expect.poll(() => store.openQuestions()).toHaveLength(1)
    time.abort()
    const [open] = await store.openQuestions()
    expect(await asked).toEqual({ kind: 'unanswered', waitingFor: `an answer to question ${open?.id ?? ''}` })
    await store.answerQuestion(open?.id ?? '', {
      approved: false,
      by: 'Mia',
      reason: 'no title',
      answeredAtMs: 1,
    })
    expect(await storeHuman({ store }).ask(question, never)).toEqual({
      kind: 'denied',
      by: 'Mia',
      reason: 'no title',
    })
  })

  it.each<[HumanAnswer, number]>([
    [{ kind: 'approved', by: 'terminal', reason: '' }, 0],
    [{ kind: 'unanswered', waitingFor: 'somebody at the terminal' }, 1],
  ])('takes the answer of the terminal; "later" leaves it open (%o)', async (said, left) => {
    const store = memoryStore()
    const human = storeHuman({ store, beside: { ask: () => Promise.resolve(said) } })
    expect(await human.ask(question, never)).toMatchObject({ kind: said.kind })
    expect(await store.openQuestions()).toHaveLength(left)
  })

  it('about another tree takes the place of the question before', async () => {
    const store = memoryStore()
    const time = new AbortController()
    const human = storeHuman({ store, intervalMs: 1 })
    const asked = [human.ask(question, time.signal)]
    await expect.poll(() => store.openQuestions()).toHaveLength(1)
    asked.push(human.ask({ ...question, details: '+ another line' }, time.signal))
    const details = async () => (await store.openQuestions()).map(({ subject }) => subject.details)
    await expect.poll(details).toEqual(['+ another line'])
    time.abort()
    await Promise.all(asked)
  })
})
