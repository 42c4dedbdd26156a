import { maskText } from '@donecheck/core/secrets'
import { assertKnownKeys } from '../../base/index.ts'
import type { Human, HumanAnswer, HumanQuestion } from '../../ports/checks.ts'
import type { AskedQuestion, KeptAnswer } from '../../ports/questions.ts'
import {
  answerSoFar,
  asAsked,
  firstAnswer,
  storeAskingKeys,
  type StoreAskingOptions,
} from './first-answer.ts'

/**
 * Keeps each question in the store, so that its answer may come hours later, from another program, and outlives the run. A check
 * that waits in vain leaves it open, and finds the answer the next time it asks.
 */
export function storeHuman(options: StoreAskingOptions<Human>): Human {
  assertKnownKeys(options, storeAskingKeys, 'storeHuman')
  const { beside, secrets = {} } = options
  const keptAs = ({ runId, check, question, details }: HumanQuestion) => {
    const masked = { question: maskText(question, secrets), details: maskText(details, secrets) }
    const subject = { kind: 'done' as const, check, ...masked }
    return asAsked(runId, subject, JSON.stringify(subject))
  }
  return {
    async ask(question, signal) {
      const asked = keptAs(question)
      const askBeside = async (open: AbortSignal) =>
        beside === undefined ? undefined : keptAnswerOf(await beside.ask(question, open))
      const answer = await firstAnswer(asked, options, signal, beside === undefined ? undefined : askBeside)
      return humanAnswerOf(answer, asked)
    },
    async askOnce(question) {
      const asked = keptAs(question)
      const answer = humanAnswerOf(await answerSoFar(asked, options), asked)
      return answer.kind === 'unanswered' ? { ...answer, openQuestion: asked.id } : answer
    },
  }
}

function humanAnswerOf(answer: KeptAnswer | undefined, { id }: AskedQuestion): HumanAnswer {
  if (answer === undefined) return { kind: 'unanswered', waitingFor: `an answer to question ${id}` }
  return { kind: answer.approved ? 'approved' : 'denied', by: answer.by, reason: answer.reason }
}

function keptAnswerOf(answer: HumanAnswer): KeptAnswer | undefined {
  if (answer.kind === 'unanswered') return undefined
  const { kind, by, reason } = answer
  return { approved: kind === 'approved', by, reason, answeredAtMs: Date.now() }
}
