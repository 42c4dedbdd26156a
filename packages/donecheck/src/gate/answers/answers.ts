/** What people have answered for the rest of the session. */
import type { Approval, GateDecision, GateRequest } from '../../gate-ports.ts'
import type { Objection } from '../decide/objection.ts'
import { identityOf, questionOf } from './identity.ts'

export interface Answers {
  /** The decision with the answers of this session in it. A `forbidden` is never taken back. */
  applied(request: GateRequest, objections: readonly Objection[], decision: GateDecision): GateDecision
  keep(request: GateRequest, objections: readonly Objection[], approval: Approval): void
}

export function answers(): Answers {
  const approved = new Map<string, Approval>()
  const denied = new Map<string, Approval>()
  const keyOf = (request: GateRequest, objections: readonly Objection[]) =>
    `${questionOf(objections)}\n${identityOf(request)}`
  return {
    applied(request, objections, decision) {
      if (decision.kind === 'forbidden' || (approved.size === 0 && denied.size === 0)) return decision
      const no = denied.get(identityOf(request))
      if (no !== undefined) {
        return {
          kind: 'forbidden',
          label: 'approval_denied',
          reason: `denied by ${no.by} for this session: ${no.reason}`,
          ...(decision.matches !== undefined && { matches: decision.matches }),
        }
      }
      const yes = decision.kind === 'prompt' ? approved.get(keyOf(request, objections)) : undefined
      if (yes === undefined) return decision
      return {
        kind: 'allow',
        reason: `approved by ${yes.by} for this session`,
        ...(decision.matches !== undefined && { matches: decision.matches }),
        ...(decision.outsideSandbox !== undefined && { outsideSandbox: decision.outsideSandbox }),
      }
    },
    keep(request, objections, approval) {
      const identity = identityOf(request)
      if (approval.approved) {
        approved.set(keyOf(request, objections), approval)
        denied.delete(identity)
      } else denied.set(identity, approval)
    },
  }
}
