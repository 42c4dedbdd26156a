import { canonicalJson } from '@donecheck/core/base'
import { maskText } from '@donecheck/core/secrets'
import { assertKnownKeys, given } from '../../base/index.ts'
import type { Approval, ApprovalQuestion, Approver } from '../../ports/gate.ts'
import type { KeptAnswer } from '../../ports/questions.ts'
import {
  answerSoFar,
  asAsked,
  firstAnswer,
  storeAskingKeys,
  type StoreAskingOptions,
} from './first-answer.ts'
import { subjectOf } from './question-subject.ts'
import { interrupted } from './without-asking.ts'

/**
 * Keeps each question in the store and waits, however long, until somebody answers it there: a command, a page, another program.
 * A run that was killed asks again under the same id, and finds the answer that came meanwhile. Nothing but an interrupt ends the
 * waiting, and that is no denial: the question is withdrawn.
 */
export function storeApprover(options: StoreAskingOptions<Approver>): Approver {
  assertKnownKeys(options, storeAskingKeys, 'storeApprover')
  const { store, beside, secrets = {} } = options
  const keptAs = (question: ApprovalQuestion) => {
    const whole = maskText(canonicalJson(question), secrets)
    return asAsked(question.runId, subjectOf(question, secrets), whole)
  }
  return {
    async ask(question, signal) {
      if (signal.aborted) return interrupted
      const asked = keptAs(question)
      const askBeside = async (open: AbortSignal) => {
        const approval = await beside?.ask(question, open)
        return approval === undefined ? undefined : { ...approval, answeredAtMs: Date.now() }
      }
      const answer = await firstAnswer(asked, options, signal, beside === undefined ? undefined : askBeside)
      if (answer === undefined) {
        await store.withdrawQuestion(asked.id)
        return interrupted
      }
      return approvalOf(answer)
    },
    async askOnce(question) {
      const asked = keptAs(question)
      const answer = await answerSoFar(asked, options)
      return answer === undefined ? { openQuestion: asked.id } : approvalOf(answer)
    },
  }
}

function approvalOf({ approved, by, reason, scope }: KeptAnswer): Approval {
  return { approved, by, reason, ...given({ scope }) }
}
