/** The part of the fold that is about claims. */
import { contradictionRule, type Fact } from '../../events/index.ts'
import type { ClaimsState, RunState } from '../state.ts'

export const noClaims: ClaimsState = { problems: undefined, blocked: 0, contradictedTurn: 0 }

/** @param state before the fact */
export function evolveClaims({ claims, turn }: RunState, fact: Fact): ClaimsState {
  switch (fact.type) {
    case 'goal-set':
      return noClaims
    case 'model-replied':
      return claims.problems === undefined ? claims : { ...claims, problems: undefined }
    case 'claim-examined':
      return { ...claims, problems: fact.problems }
    case 'finding-noted': {
      if (fact.finding.rule !== contradictionRule) return claims
      const isSame = claims.contradictedTurn === turn
      return { ...claims, contradictedTurn: turn, blocked: claims.blocked + (isSame ? 0 : 1) }
    }
    default:
      return claims
  }
}
