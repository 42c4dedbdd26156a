import type { RuleMatch } from '@donecheck/core/events'
import type { RefusalLabel } from '@donecheck/core/gate'
import type { QuestionKind } from '../approval-policy.ts'

/** Why something is not simply allowed. */
export type Objection =
  | { readonly decision: 'forbidden'; readonly label: RefusalLabel; readonly reason: string }
  | {
      readonly decision: 'prompt'
      readonly question: QuestionKind
      readonly label: RefusalLabel
      readonly reason: string
      /** A command that no rule knows: an amendment may take the question away. Index in the decomposition. */
      readonly command?: number
    }

export function forbid(label: RefusalLabel, reason: string): Objection {
  return { decision: 'forbidden', label, reason }
}

export function ask(question: QuestionKind, label: RefusalLabel, reason: string): Objection {
  return { decision: 'prompt', question, label, reason }
}

/** What rules and the built-in floor say of a part of a request. */
export interface Evaluation {
  readonly matches: readonly RuleMatch[]
  readonly objections: readonly Objection[]
}

/** Of what no rule matched. */
export function onlyObjection(objection: Objection): Evaluation {
  return { matches: [], objections: [objection] }
}

export const nothing: Evaluation = { matches: [], objections: [] }
