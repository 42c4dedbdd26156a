import { describe, expect, it } from 'vitest'
import { storeApprover, storeHuman, withdrawQuestions } from './store-asking.ts'
import type { HumanAnswer, HumanQuestion } from '../../ports/checks.ts'
import type { Approval, ApprovalQuestion } from '../../ports/gate.ts'
import { guardCallId, type KeptQuestion, type Questions } from '../../ports/questions.ts'
import { memoryStore } from '../../system/store/index.ts'
import { approvalQuestion, approverContract } from '../../testing/contracts/index.ts'

const never = new AbortController().signal
const command = approvalQuestion({
  tool: 'run_command',
  effect: 'execute',
  args: { command: 'npm test' },
  summary: 'npm test',
  action: { kind: 'command', script: 'npm test', folder: '/srv' },
  amendment: { prefix: ['npm', 'test'] },
})
const yes = { approved: true, by: 'Mia', reason: 'yes' }
const no = { approved: false, by: 'Ben', reason: 'not today' }

/** An approver whose questions another process answers, if an answer is given. */
function asking(store: Questions, answer?: Approval, beside?: (signal: AbortSignal) => Promise<Approval>) {
  const waiting: KeptQuestion[] = []
  const approver = storeApprover({
    store,
    intervalMs: 1,
    secrets: { TOKEN: 'hunter2hunter2' },
    onWaiting(question) {
      waiting.push(question)
      if (answer !== undefined) void store.answerQuestion(question.id, { ...answer, answeredAtMs: 1 })
    },
    ...(beside === undefined
      ? {}
      : { beside: { ask: (_: ApprovalQuestion, signal: AbortSignal) => beside(signal) } }),
  })
  return { approver, waiting }
}

approverContract('storeApprover, answered with yes from elsewhere,', {
  make: () => asking(memoryStore(), yes).approver,
  approves: true,
})

approverContract('storeApprover, answered with no from elsewhere,', {
  make: () => asking(memoryStore(), no).approver,
  approves: false,
})

describe('given a question that is kept', () => {
  it('shows what is asked and for how long an answer may hold, without secrets', async () => {
    const { approver, waiting } = asking(memoryStore(), { ...yes, scope: 'rule' })
    const secret = { ...command, reason: 'it says hunter2hunter2' }
    expect(await approver.ask(secret, never)).toEqual({ ...yes, scope: 'rule' })
    expect(waiting).toMatchObject([
      {
        runId: 'run-1',
        subject: {
          summary: 'npm test',
          reason: 'it says [masked:TOKEN]',
          details: '',
          scopes: { yes: ['once', 'session', 'rule'], no: ['once', 'rule'] },
        },
      },
    ])
  })

  it('is asked again under the same id after a kill, and the answer that came meanwhile holds', async () => {
    const store = memoryStore()
    const killed = asking(store)
    void killed.approver.ask(command, never)
    await expect.poll(() => killed.waiting.length).toBe(1)
    await store.answerQuestion(killed.waiting[0]?.id ?? '', { ...no, answeredAtMs: 1 })
    const resumed = asking(store)
    expect(await resumed.approver.ask(command, never)).toEqual(no)
    expect(resumed.waiting).toEqual([])
  })

  it('is another one where what it does not show is another: an answer holds for all that was asked', async () => {
    const store = memoryStore()
    const shown = { callId: 'tamper-guard', preview: 'logo.png: cannot be shown as text' }
    const allowed = approvalQuestion({ ...shown, args: { paths: ['logo.png'], keys: ['1'] } })
    expect(await asking(store, yes).approver.ask(allowed, never)).toEqual(yes)
    const changed = approvalQuestion({ ...shown, args: { paths: ['logo.png'], keys: ['2'] } })
    expect(await asking(store, no).approver.ask(changed, never)).toEqual(no)
  })

  it('is withdrawn when the same call would do something else by now', async () => {
    const store = memoryStore()
    const before = asking(store)
    const replaced = before.approver.ask(approvalQuestion({ preview: '+ old' }), never)
    await expect.poll(() => before.waiting.length).toBe(1)
    const { approver } = asking(store, yes)
    expect(await approver.ask(approvalQuestion({ preview: '+ new' }), never)).toEqual(yes)
    expect(await replaced).toMatchObject({ approved: false })
    expect(await store.openQuestions()).toEqual([])
  })

  it('an interrupt withdraws it, which is no denial that stays', async () => {
    const store = memoryStore()
    const interrupt = new AbortController()
    const { approver, waiting } = asking(store)
    const asked = approver.ask(command, interrupt.signal)
    await expect.poll(() => waiting.length).toBe(1)
    interrupt.abort()
    expect(await asked).toMatchObject({ approved: false, by: 'interrupt' })
    expect(await store.openQuestions()).toEqual([])
    expect(await asking(store, yes).approver.ask(command, never)).toEqual(yes)
  })

  it('waits for nobody once its run has ended, but for whoever may still say that it is done', async () => {
    const store = memoryStore()
    void asking(store).approver.ask(command, never)
    const subject = { kind: 'done' as const, check: 'a person', question: 'Done?', details: '' }
    await store.keepQuestion({ id: 'q-done', runId: 'run-1', askedAtMs: 1, subject })
    await store.keepQuestion({ id: 'q-other', runId: 'run-2', askedAtMs: 2, subject })
    const openIds = async () => (await store.openQuestions()).map(({ id }) => id)
    await asking(store).approver.askOnce?.({ ...command, callId: guardCallId, summary: 'a test' }, never)
    await expect.poll(openIds).toHaveLength(4)
    await withdrawQuestions(store, 'run-1', { waitsForApproval: true })
    expect(await openIds()).toEqual(['q-done', 'q-other', expect.stringMatching(/^q-\w{32}$/u)])
    await withdrawQuestions(store, 'run-1', { waitsForApproval: false })
    expect(await openIds()).toEqual(['q-other'])
  })
})

describe('given a question that is asked at a terminal too', () => {
  it('the answer of the terminal settles it for everybody', async () => {
    const store = memoryStore()
    const { approver, waiting } = asking(store, undefined, () => Promise.resolve(yes))
    expect(await approver.ask(command, never)).toEqual(yes)
    const { id = '' } = waiting[0] ?? {}
    expect(await store.question(id)).toMatchObject({ answer: yes })
    expect(await store.answerQuestion(id, { ...no, answeredAtMs: 9 })).toMatchObject({
      kind: 'taken',
      answer: yes,
    })
  })

  it('an answer from elsewhere holds, and ends the question at the terminal', async () => {
    const ended = Promise.withResolvers<Approval>()
    const beside = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => ended.resolve({ ...no, by: 'interrupt' }))
      return ended.promise
    }
    expect(await asking(memoryStore(), yes, beside).approver.ask(command, never)).toEqual(yes)
    expect(await ended.promise).toMatchObject({ by: 'interrupt' })
  })

  it('where both answer at once, whoever reached the store first has decided', async () => {
    const store = memoryStore()
    const beside = async () => {
      const [question] = await store.openQuestions()
      await store.answerQuestion(question?.id ?? '', { ...no, answeredAtMs: 1 })
      return yes
    }
    expect(await asking(store, undefined, beside).approver.ask(command, never)).toEqual(no)
  })
})

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
