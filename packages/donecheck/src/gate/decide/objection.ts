import type { GateKind, RefusalLabel } from '../../events/index.ts'
import type { QuestionKind } from '../approval-policy.ts'

/** Why something is not simply allowed. */
export type Objection =
  | { readonly decision: 'forbid'; readonly label: RefusalLabel; readonly reason: string }
  | {
      readonly decision: 'prompt'
      readonly question: QuestionKind
      readonly label: RefusalLabel
      readonly reason: string
      /** A command that no rule knows: an amendment may take the question away. Index in the decomposition. */
      readonly command?: number
    }

const severity: Readonly<Record<GateKind, number>> = { allow: 0, prompt: 1, forbid: 2 }

export function moreSevere(one: GateKind, other: GateKind): GateKind {
  return severity[other] > severity[one] ? other : one
}
