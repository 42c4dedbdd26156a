/** The part of the fold that is about claims. */
import { contradictionRule, noClaims, type ClaimsState } from './claim-facts.ts'
import type { Fact } from './event.ts'
import type { RunState } from './state.ts'

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
