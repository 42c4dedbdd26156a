import { maskText } from '@donecheck/core/secrets'
import { assertKnownKeys } from '../../base/index.ts'
import type { Human, HumanAnswer } from '../../ports/checks.ts'
import type { KeptAnswer } from '../../ports/questions.ts'
import { asAsked, firstAnswer, storeAskingKeys, type StoreAskingOptions } from './first-answer.ts'

/**
 * Keeps each question in the store, so that its answer may come hours later, from another program, and outlives the run. A check
 * that waits in vain leaves it open, and finds the answer the next time it asks.
 */
export function storeHuman(options: StoreAskingOptions<Human>): Human {
  assertKnownKeys(options, storeAskingKeys, 'storeHuman')
  const { beside, secrets = {} } = options
  return {
    async ask(question, signal) {
      const { runId, check } = question
      const subject = {
        kind: 'done' as const,
        check,
        question: maskText(question.question, secrets),
        details: maskText(question.details, secrets),
      }
      const asked = asAsked(runId, subject, JSON.stringify(subject))
      const askBeside = async (open: AbortSignal) =>
        beside === undefined ? undefined : keptAnswerOf(await beside.ask(question, open))
      const answer = await firstAnswer(asked, options, signal, beside === undefined ? undefined : askBeside)
      if (answer === undefined) return { kind: 'unanswered', waitingFor: `an answer to question ${asked.id}` }
      return { kind: answer.approved ? 'approved' : 'denied', by: answer.by, reason: answer.reason }
    },
  }
}

function keptAnswerOf(answer: HumanAnswer): KeptAnswer | undefined {
  if (answer.kind === 'unanswered') return undefined
  const { kind, by, reason } = answer
  return { approved: kind === 'approved', by, reason, answeredAtMs: Date.now() }
}
