/** A request as the gate sees it: everything that is against it, before anybody is asked. */
import type { RuleMatch } from '@donecheck/core/events'
import type { Amendment, Escalation, GateRequest } from '../../ports/gate.ts'
import { asksForUnknown, nameOfPolicy, type ApprovalPolicy } from './approval-policy.ts'
import { purposes } from './gate-by-approval.ts'
import { proposalFor } from './answers/proposal.ts'
import { examineChanges } from './changes/examine-changes.ts'
import { neverReturns } from './built-in-rules/sensitive-paths.ts'
import { examineLine, type LineExamination } from './decide/examine-line.ts'
import type { Objection } from './decide/objection.ts'
import type { GateContext } from './decide/gate-context.ts'

export interface Examined {
  readonly objections: readonly Objection[]
  readonly matches: readonly RuleMatch[]
  /** Why it is allowed, where nothing is against it. */
  readonly whenFine: string
  /** It asks to leave a sandbox that there is. */
  readonly isLeaving: boolean
  /** Of a command alone. */
  readonly line?: LineExamination
  readonly amendment?: Amendment
}

export async function examine(
  request: GateRequest,
  around: GateContext,
  isForOneCall = false,
): Promise<Examined> {
  const { action, hasOwnPermissions = false } = request
  if (action === undefined) {
    const whenFine = `approval is "${nameOfPolicy(around.approval)}"`
    return { objections: examineCall(request, around.approval), matches: [], whenFine, isLeaving: false }
  }
  if (action.kind === 'change') {
    const changes = await examineChanges(action.files, around)
    return {
      ...changes,
      whenFine: 'it changes files of the work folder',
      isLeaving: false,
    }
  }
  const { script, folder, escalation } = action
  const placed = { ...around, place: { ...around.place, folder }, leavesUnknown: hasOwnPermissions }
  return examinedLine(examineLine(script, placed, escalation), escalation, placed, isForOneCall)
}

/** The same, of a line that was looked at. */
export function examinedLine(
  line: LineExamination,
  escalation: Escalation | undefined,
  around: GateContext,
  isForOneCall = false,
): Examined {
  const { objections, matches } = line
  // An answer to one call is not kept.
  const isKept = around.approval !== 'all' && !isForOneCall
  const amendment = isKept ? proposalFor(line, escalation, around) : undefined
  return {
    ...{ objections, matches, line },
    whenFine: whyAllowed(line, around),
    isLeaving: escalation !== undefined && around.isConfined,
    ...(amendment !== undefined && { amendment }),
  }
}

function whyAllowed(
  { commands, isAllowHeeded, decomposition }: LineExamination,
  around: GateContext,
): string {
  const acting = commands.filter(({ found, isHarmless }) => !found.isTransparent && !isHarmless)
  const isWriting = decomposition.writes.some(({ path }) => path === null || !neverReturns(path))
  if (acting.length === 0 && !isWriting) return 'it only reads'
  if (acting.length === 0) return 'it only reads, and writes to files that are open to it'
  if (isAllowHeeded && acting.every(({ isAllowedByRule }) => isAllowedByRule)) return 'rules allow all of it'
  if (around.isConfined) return 'nothing is against it, and it runs in the sandbox'
  return around.leavesUnknown === true
    ? 'nothing is against it, and it is left to the permissions of the agent'
    : `approval is "${nameOfPolicy(around.approval)}"`
}

/** A call of which only the effect is known: what it does is confined by nothing. */
function examineCall(
  { tool, effect, hasOwnPermissions }: GateRequest,
  approval: ApprovalPolicy,
): readonly Objection[] {
  if (approval === 'never' || (effect === 'read' && approval !== 'all')) return []
  if (hasOwnPermissions === true && !asksForUnknown(approval)) return []
  const reason = `${tool} ${purposes[effect]}, and approval is "${nameOfPolicy(approval)}"`
  const question = effect === 'execute' ? 'sandbox_approval' : 'changes'
  return [{ decision: 'prompt', question, label: 'approval_required', reason }]
}
