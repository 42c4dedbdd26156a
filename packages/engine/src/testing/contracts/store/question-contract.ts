import { describe, expect } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import type { AskedQuestion, KeptAnswer } from '../../../ports/questions.ts'
import { sampleTurns } from '@donecheck/core/testing'
import type { StoreTest } from './opened-store.ts'

/** May this command run? */
function askedQuestion(changes: Partial<AskedQuestion> = {}): AskedQuestion {
  return {
    id: 'question-1',
    runId: 'run-1',
    askedAtMs: 1000,
    subject: {
      kind: 'call',
      callId: 'call-1',
      tool: 'run_command',
      effect: 'execute',
      summary: 'npm test\0\ud800',
      reason: 'commands are asked for',
      details: '',
      amendment: { prefix: ['npm', 'test'] },
      scopes: { yes: ['once', 'session', 'rule'], no: ['once'] },
    },
    ...changes,
  }
}

const done = { kind: 'done' as const, check: 'a person agrees', question: 'Is it done?', details: '+ line' }
const yes: KeptAnswer = { approved: true, by: 'Mia', reason: 'yes', scope: 'session', answeredAtMs: 2000 }
const no: KeptAnswer = { approved: false, by: 'Ben', reason: 'not today', answeredAtMs: 3000 }

export function questionContract(it: StoreTest): void {
  describe('given questions that people are asked', () => {
    it('are open in the order of their asking, until they are answered or withdrawn', async (store) => {
      const [first, second, third] = [
        askedQuestion({ id: 'b' }),
        askedQuestion({ id: 'a', askedAtMs: 3000, subject: done }),
        askedQuestion({ id: 'c', askedAtMs: 2000 }),
      ]
      for (const asked of [first, second, third])
        expect(await store.keepQuestion(asked)).toEqual({ ...asked, answer: null, isWithdrawn: false })
      const openIds = async () => (await store.openQuestions()).map(({ id }) => id)
      expect(await openIds()).toEqual(['b', 'c', 'a'])
      await store.answerQuestion('c', yes)
      await store.withdrawQuestion('b')
      await store.withdrawQuestion('x')
      expect(await openIds()).toEqual(['a'])
      expect(await store.question('a')).toMatchObject({ subject: done })
    })

    it('find the answer that came meanwhile when their run asks again, and are open again where none came', async (store) => {
      const asked = askedQuestion()
      await store.keepQuestion(asked)
      await store.withdrawQuestion(asked.id)
      expect(await store.answerQuestion(asked.id, yes)).toEqual({ kind: 'withdrawn' })
      expect(await store.keepQuestion({ ...asked, askedAtMs: 9000 })).toMatchObject({
        askedAtMs: 1000,
        isWithdrawn: false,
      })
      await store.answerQuestion(asked.id, yes)
      await store.withdrawQuestion(asked.id)
      expect(await store.keepQuestion(asked)).toMatchObject({ answer: yes, isWithdrawn: false })
    })

    it('count as a change of their run', async (store) => {
      for (const runId of ['run-1', 'run-2']) await store.append(0, sampleTurns(1, { runId }), null)
      let { latest } = await store.changes()
      for (const change of [
        () => store.keepQuestion(askedQuestion()),
        () => store.keepQuestion(askedQuestion({ id: 'question-2' })),
        () => store.answerQuestion('question-1', yes),
        () => store.withdrawQuestion('question-2'),
      ]) {
        await change()
        const changed = await store.changes(latest)
        expect(changed.runIds).toEqual(['run-1'])
        latest = changed.latest
      }
      await store.withdrawQuestion('question-2')
      expect(await store.changes(latest)).toEqual({ latest, runIds: [] })
    })
  })

  describe('given answers to questions', () => {
    it('take the first answer, and tell everybody else who was first', async (store) => {
      const { id } = await store.keepQuestion(askedQuestion())
      expect(await store.answerQuestion(id, yes)).toEqual({ kind: 'answered', answer: yes })
      expect(await store.answerQuestion(id, { ...yes, answeredAtMs: 2500 })).toEqual({
        kind: 'answered',
        answer: yes,
      })
      expect(await store.answerQuestion(id, no)).toEqual({ kind: 'taken', answer: yes })
      expect(await store.question(id)).toMatchObject({ answer: yes })
      expect(await store.answerQuestion('x', yes)).toEqual({ kind: 'unknown' })
      expect(await store.question('x')).toBeUndefined()
    })

    it('refuse a scope that they do not offer, and stay open', async (store) => {
      const { id } = await store.keepQuestion(askedQuestion())
      await store.keepQuestion(askedQuestion({ id: 'done', subject: done }))
      await expect(store.answerQuestion(id, { ...no, scope: 'rule' })).rejects.toThrow(UsageError)
      await expect(store.answerQuestion('done', yes)).rejects.toThrow('it offers: once')
      expect(await store.openQuestions()).toHaveLength(2)
    })
  })
}
