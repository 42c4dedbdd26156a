/** The rule that would take a question away for good. */
import type { Amendment, Escalation } from '../../../ports/gate.ts'
import type { FoundCommand } from '../../../analysis/shell/index.ts'
import type { LineExamination } from '../decide/examine-line.ts'
import type { Objection } from '../decide/objection.ts'
import { beginsWith } from '../decide/begins-with.ts'
import { matchBuiltInRules } from '../built-in-rules/match-built-in-rules.ts'
import type { CommandLocation } from '../built-in-rules/built-in-rule.ts'
import type { CompiledPolicy } from '../decide/policy.ts'
import { isTooGeneral, proposeAmendment } from '../rules/amend/propose-amendment.ts'

export interface ProposalContext {
  readonly policy: CompiledPolicy
  readonly place: CommandLocation
}

/**
 * None where a rule, yours or built in, asks, where not all is known, and where one rule would not allow all commands. What the
 * model proposes is taken where it is safe, else the first words of the command that is asked for.
 */
export function proposalFor(
  line: LineExamination,
  escalation: Escalation | undefined,
  around: ProposalContext,
): Amendment | undefined {
  const { objections } = line
  const isByNature = objections.every(
    (one) => one.decision === 'prompt' && one.question === 'sandbox_approval',
  )
  if (!line.isAllowHeeded || objections.length === 0 || !isByNature) return undefined
  if (objections.some(({ label }) => label !== 'approval_required')) return undefined
  const asked = askedCommands(line, objections)
  const [first] = asked
  if (first === undefined) return undefined
  const kind = proposeAmendment(textsOf(first), (prefix) => isStopped(prefix, around))?.prefix
  const candidates = [escalation?.prefix, kind]
  const prefix = candidates.find((candidate) => candidate !== undefined && isFit(candidate, asked, around))
  return prefix === undefined ? undefined : { prefix }
}

/** Those that a rule must allow; where only the sandbox is to be left, all that do more than read. */
function askedCommands(line: LineExamination, objections: readonly Objection[]): readonly FoundCommand[] {
  const indexes = new Set(objections.flatMap((one) => (one.decision === 'prompt' ? (one.command ?? []) : [])))
  const chosen = line.commands.filter((_, index) => indexes.has(index))
  const rest = line.commands.filter(({ found, isHarmless }) => !found.isTransparent && !isHarmless)
  return (chosen.length > 0 ? chosen : rest).map(({ found }) => found)
}

function isFit(prefix: readonly string[], asked: readonly FoundCommand[], around: ProposalContext): boolean {
  if (prefix.length === 0 || isTooGeneral(prefix) || isStopped(prefix, around)) return false
  return asked.every((command) => beginsWith(command, prefix))
}

/** By a rule, built in or not, that asks or forbids. */
function isStopped(prefix: readonly string[], { policy, place }: ProposalContext): boolean {
  const words = prefix.map((text) => ({ text, written: text, span: null }))
  const found: FoundCommand = { words, span: null, through: [], isTransparent: false }
  const byRule = policy.matchCommand(prefix, place.folder).some(({ rule }) => rule.decision !== 'allow')
  return byRule || matchBuiltInRules(found, place).matches.length > 0
}

function textsOf({ words }: FoundCommand): readonly string[] {
  return words.flatMap(({ text }) => text ?? [])
}
