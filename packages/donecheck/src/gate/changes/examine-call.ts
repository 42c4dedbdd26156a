import type { GateRequest } from '../../gate-ports.ts'
import { asksForUnknown, nameOfPolicy, type ApprovalPolicy } from '../approval-policy.ts'
import type { Objection } from '../decide/objection.ts'

/** A call of which only the effect is known: what it does is confined by nothing. */
export function examineCall(
  { tool, effect, hasOwnPermissions }: GateRequest,
  approval: ApprovalPolicy,
): readonly Objection[] {
  if (approval === 'never' || (effect === 'read' && approval !== 'all')) return []
  if (hasOwnPermissions === true && !asksForUnknown(approval)) return []
  const reason = `${tool} ${purposes[effect]}, and approval is "${nameOfPolicy(approval)}"`
  const question = effect === 'execute' ? 'sandbox_approval' : 'changes'
  return [{ decision: 'prompt', question, label: 'approval_required', reason }]
}

const purposes: Readonly<Record<GateRequest['effect'], string>> = {
  read: 'reads',
  write: 'changes files',
  execute: 'runs a command',
}
