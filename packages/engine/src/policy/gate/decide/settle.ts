import type { RefusalLabel } from '@donecheck/core/gate'
import type { GateDecision } from '../../../ports/gate.ts'
import { refusalInstead, type ApprovalPolicy } from '../approval-policy.ts'
import type { Objection } from './objection.ts'

/** The most severe of all objections, once it is clear whether anybody can be asked. */
export function settle(
  objections: readonly Objection[],
  approval: ApprovalPolicy,
  whenFine: string,
): Pick<GateDecision, 'kind' | 'reason' | 'label'> {
  const forbidding = objections.filter(({ decision }) => decision === 'forbidden').toSorted(byWeight)[0]
  if (forbidding !== undefined)
    return { kind: 'forbidden', label: forbidding.label, reason: forbidding.reason }
  const asking = objections.filter((objection) => objection.decision === 'prompt').toSorted(byWeight)
  for (const { question, label, reason } of asking) {
    const refusal = refusalInstead(approval, question, label)
    if (refusal === null) continue
    return { kind: 'forbidden', label: refusal.label, reason: `${reason}; ${refusal.why}: find another way` }
  }
  const [first, ...others] = asking
  if (first === undefined) return { kind: 'allow', reason: whenFine }
  const more = new Set(others.map(({ reason }) => reason).filter((reason) => reason !== first.reason)).size
  const reason = more === 0 ? first.reason : `${first.reason} (and ${more} more)`
  return { kind: 'prompt', label: first.label, reason }
}

/** Whose words are told first. */
const order: readonly RefusalLabel[] = [
  'dangerous_command',
  'policy_forbidden',
  'protected_file',
  'outside_work_folder',
  'undecidable_command',
]

function byWeight(one: Objection, other: Objection): number {
  return weightOf(one) - weightOf(other)
}

function weightOf(objection: Objection): number {
  const place = order.indexOf(objection.label)
  if (place !== -1) return place
  const isOfRule = objection.decision === 'prompt' && objection.question === 'rules'
  return isOfRule ? 3.5 : order.length
}
