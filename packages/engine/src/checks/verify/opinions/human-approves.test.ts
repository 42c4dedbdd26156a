import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import type { Human, HumanAnswer, HumanQuestion, VerifierContext } from '../../../ports/checks.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { contextOf } from '../texts/fixtures/ask.ts'
import { humanApproves, type HumanApprovesOptions } from './human-approves.ts'

const yes: HumanAnswer = { kind: 'approved', by: 'Ada', reason: 'looks right' }
const no: HumanAnswer = { kind: 'denied', by: 'Ada', reason: 'the title is wrong' }
const nobody: HumanAnswer = { kind: 'unanswered', waitingFor: 'Ada' }

/** A person who gives these answers in turn, the last one again and again, and keeps the questions. */
function person(...answers: readonly unknown[]) {
  const questions: HumanQuestion[] = []
  const human: Human = {
    ask: async (question) => {
      questions.push(question)
      return answers[Math.min(questions.length, answers.length) - 1] as HumanAnswer
    },
  }
  return { human, questions }
}

const question = 'Is the page as it should be?'

verifierContract('humanApproves', {
  passing: () => humanApproves({ question, human: person(yes).human }),
  failing: () => humanApproves({ question, human: person(no).human }),
  makeUndecided: () => humanApproves({ question, human: person('yes').human }),
  hanging: (onStart) => {
    const ask = () => {
      onStart()
      return new Promise<never>(() => undefined)
    }
    return humanApproves({ question, human: { ask } })
  },
})

function asking(human: Human, options: Partial<HumanApprovesOptions> = {}) {
  const verifier = humanApproves({ question, human, ...options })
  return (changes: Partial<VerifierContext> = {}) => {
    const shown = { workFolder: '/work', finalText: 'I made it.', fingerprint: 'tree-1' }
    return verifier.verify(contextOf({ ...shown, ...changes }), new AbortController().signal)
  }
}

describe('given a person who answers', () => {
  it('passes when approved, with who and why', async () => {
    expect(await asking(person(yes).human)()).toMatchObject({
      status: 'passed',
      reason: 'approved by Ada: looks right',
      evidence: [{ kind: 'note', text: 'for tree tree-1, run run-1' }],
    })
  })

  it('fails when denied, and the agent is told why and may try again', async () => {
    expect(await asking(person(no).human)()).toMatchObject({
      status: 'failed',
      reason: 'denied by Ada: the title is wrong',
      canRetry: true,
    })
  })

  it('shows the question, the details and what the agent says', async () => {
    const { human, questions } = person(yes)
    await asking(human, { name: 'the page', details: 'See page.html.' })()
    expect(questions).toEqual([
      {
        runId: 'run-1',
        check: 'the page',
        question,
        details: 'See page.html.\n\nThe agent says:\nI made it.\n\nAsked about: tree tree-1, run run-1',
      },
    ])
  })
})

describe('given nobody who answers', () => {
  it('is pending, and says on whom it waits and until when', async () => {
    expect(await asking(person(nobody).human)()).toMatchObject({
      status: 'pending',
      reason: 'waits for Ada, until somebody answers: nobody did within 300 s',
    })
  })

  it('is pending although the human does not listen to its signal', async () => {
    const deaf: Human = { ask: () => new Promise<never>(() => undefined) }
    expect(await asking(deaf, { timeoutMs: 1 })()).toMatchObject({
      status: 'pending',
      reason: 'waits for an answer, until somebody answers: nobody did within 0.001 s',
    })
  })
})

describe('given an answer for one tree', () => {
  it.each([yes, no])('does not ask about the same tree again: %j', async (answer) => {
    const { human, questions } = person(answer, nobody)
    const ask = asking(human)
    const first = await ask()
    expect(await ask({ turn: 2, finalText: 'Still done.' })).toEqual(first)
    expect(questions).toHaveLength(1)
  })

  it.each<[string, Partial<VerifierContext>]>([
    ['another tree', { fingerprint: 'tree-2' }],
    ['another run', { runId: 'run-2' }],
    ['a tree that has no fingerprint', { fingerprint: undefined }],
  ])('asks again for %s', async (_, changes) => {
    const { human, questions } = person(yes, nobody)
    const ask = asking(human)
    await ask()
    expect(await ask(changes)).toMatchObject({ status: 'pending' })
    expect(questions).toHaveLength(2)
    expect(questions[1]?.details).not.toBe(questions[0]?.details)
  })

  it('asks again for another answer, where that is what is approved', async () => {
    const { human, questions } = person(yes, no)
    const ask = asking(human, { reads: 'answer' })
    await ask()
    await ask({ fingerprint: 'tree-2' })
    expect(questions).toHaveLength(1)
    expect(await ask({ finalText: 'Another one.' })).toMatchObject({ status: 'failed' })
  })
})

describe('given the baseline tree', () => {
  it('asks nobody, and approves nothing', async () => {
    const { human, questions } = person(yes)
    expect(await asking(human)({ trigger: 'baseline', turn: 0 })).toMatchObject({ status: 'pending' })
    expect(questions).toEqual([])
  })
})

describe('given a human that cannot be understood', () => {
  it.each([true, undefined, { kind: 'approved' }, { kind: 'approved', by: '', reason: '' }, { kind: 'yes' }])(
    'is an error for %j',
    async (answer) => {
      expect(await asking(person(answer).human)()).toMatchObject({ status: 'error' })
    },
  )

  it('is an error where it throws', async () => {
    const broken: Human = { ask: () => Promise.reject(new Error('no terminal')) }
    expect(await asking(broken)()).toMatchObject({
      status: 'error',
      reason: 'human approves threw: no terminal',
    })
  })
})

describe('given misuse', () => {
  it('refuses an empty question, no human, and no time', () => {
    const { human } = person(yes)
    expect(() => humanApproves({ question: ' ', human })).toThrow(UsageError)
    expect(() => humanApproves({ question, human: {} as unknown as Human })).toThrow(UsageError)
    expect(() => humanApproves({ question, human, timeoutMs: 0 })).toThrow(UsageError)
  })
})
