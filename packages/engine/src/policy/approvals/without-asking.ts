import { assertText } from '../../base/index.ts'
import type { Approval, Approver } from '../../ports/gate.ts'

/** Answers every question of an interrupted run: nothing is approved. */
export const interrupted: Approval = {
  approved: false,
  by: 'interrupt',
  reason: 'the run was interrupted before anybody answered',
}

/**
 * Approves everything until the run is interrupted. @param by who decided that, for the record
 * @throws {UsageError} for an empty name or one that is not text
 * @example createAgentLoop({ agent, tools: defaultTools({ workFolder }), approver: acceptAll() })
 */
export function acceptAll(by = 'the program that runs the loop'): Approver {
  assertText(by, 'who accepts', `a name for the record: acceptAll('me')`)
  return {
    isAttended: false,
    ask: async (_question, signal) =>
      signal.aborted ? interrupted : { approved: true, by, reason: `${by}: everything is accepted` },
  }
}

/**
 * Refuses everything, because nobody can be asked. @param reason sent to the agent after that of the question
 * @throws {UsageError} without a reason
 */
export function refuseAll(reason: string, by = 'no terminal'): Approver {
  assertText(reason, 'why nobody can be asked', `a reason: refuseAll('nobody is here')`)
  return {
    isAttended: false,
    ask: async (question, signal) =>
      signal.aborted ? interrupted : { approved: false, by, reason: `${question.reason}; ${reason}` },
  }
}
