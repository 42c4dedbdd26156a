/** A request as the gate sees it: everything that is against it, before anybody is asked. */
import type { RuleMatch } from '../events/index.ts'
import type { Amendment, Escalation, GateRequest } from '../gate-ports.ts'
import { nameOfPolicy } from './approval-policy.ts'
import { proposedFor } from './answers/proposal.ts'
import { examineCall } from './changes/examine-call.ts'
import { examineChanges } from './changes/examine-changes.ts'
import { isSink } from './floor/sensitive-paths.ts'
import { examineLine, type LineExamination } from './decide/examine-line.ts'
import type { Objection } from './decide/objection.ts'
import type { Surroundings } from './decide/surroundings.ts'

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
  around: Surroundings,
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
  around: Surroundings,
  isForOneCall = false,
): Examined {
  const { objections, matches } = line
  // An answer to one call is not kept.
  const isKept = around.approval !== 'all' && !isForOneCall
  const amendment = isKept ? proposedFor(line, escalation, around) : undefined
  return {
    ...{ objections, matches, line },
    whenFine: whyAllowed(line, around),
    isLeaving: escalation !== undefined && around.isConfined,
    ...(amendment !== undefined && { amendment }),
  }
}

function whyAllowed(
  { commands, isAllowHeeded, decomposition }: LineExamination,
  around: Surroundings,
): string {
  const acting = commands.filter(({ found, isHarmless }) => !found.isTransparent && !isHarmless)
  const isWriting = decomposition.writes.some(({ path }) => path === null || !isSink(path))
  if (acting.length === 0 && !isWriting) return 'it only reads'
  if (acting.length === 0) return 'it only reads, and writes to files that are open to it'
  if (isAllowHeeded && acting.every(({ isAllowedByRule }) => isAllowedByRule)) return 'rules allow all of it'
  if (around.isConfined) return 'nothing is against it, and it runs in the sandbox'
  return around.leavesUnknown === true
    ? 'nothing is against it, and it is left to the permissions of the agent'
    : `approval is "${nameOfPolicy(around.approval)}"`
}
