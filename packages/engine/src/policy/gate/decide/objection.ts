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
