import type { Approver } from '../ports.ts'
import { interrupted } from './interrupted.ts'

/** Approves everything until the run is interrupted. @param by who said so beforehand, such as `--yes` */
export function acceptAll(by: string): Approver {
  return {
    isAttended: false,
    ask: async (_question, signal) =>
      signal.aborted ? interrupted : { approved: true, by, reason: `${by}: everything is accepted` },
  }
}

/**
 * Approves nothing, because nobody can be asked.
 * @param reason why not; the drive is told it behind the reason of the question
 */
export function refuseAll(reason: string, by = 'no terminal'): Approver {
  return {
    isAttended: false,
    ask: async (question, signal) =>
      signal.aborted ? interrupted : { approved: false, by, reason: `${question.reason}; ${reason}` },
  }
}
