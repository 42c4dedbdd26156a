import type { RuleMatch } from '@donecheck/core/internal/events'
import type { RefusalLabel } from '@donecheck/core/internal/events/gate'
import type { FoundCommand, Obstacle } from '../../analysis/shell/index.ts'
import { UsageError } from '../../base/index.ts'
import { approvalPolicies, type GateDecision } from '../../ports/gate.ts'

export type Objection =
  | { readonly decision: 'forbidden'; readonly label: RefusalLabel; readonly reason: string }
  | {
      readonly decision: 'prompt'
      readonly question: QuestionKind
      readonly label: RefusalLabel
      readonly reason: string
      /** Index of an unknown command; an amendment may allow it. */
      readonly command?: number
    }

export function forbid(label: RefusalLabel, reason: string): Objection {
  return { decision: 'forbidden', label, reason }
}

export function ask(question: QuestionKind, label: RefusalLabel, reason: string): Objection {
  return { decision: 'prompt', question, label, reason }
}

/** What rules and the built-in ones say about part of a request. */
export interface Evaluation {
  readonly matches: readonly RuleMatch[]
  readonly objections: readonly Objection[]
}

export function onlyObjection(objection: Objection): Evaluation {
  return { matches: [], objections: [objection] }
}

export const nothing: Evaluation = { matches: [], objections: [] }

/** The most severe objection, depending on whether anybody can be asked. */
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

/** Highest priority first. */
const order: readonly RefusalLabel[] = [
  'dangerous_command',
  'policy_forbidden',
  'protected_file',
  'outside_work_folder',
  'opaque_command',
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

const maxQuoteLength = 200

export function quoteCommand(script: string, command: Pick<FoundCommand, 'span' | 'words'>): string {
  const { span, words } = command
  const text = span === null ? words.map(({ written }) => written).join(' ') : script.slice(...span)
  return shortenText(text)
}

export function shortenText(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  const characters = Array.from(line)
  return characters.length <= maxQuoteLength ? line : `${characters.slice(0, maxQuoteLength - 1).join('')}…`
}

export function rejectionByRule(command: string, prefix: readonly string[], justification?: string): string {
  return justification === undefined
    ? `\`${command}\` rejected: policy forbids commands starting with \`${prefix.join(' ')}\``
    : `\`${command}\` rejected: ${justification}`
}

export function questionByRule(command: string, justification?: string): string {
  return justification === undefined
    ? `\`${command}\` requires approval by policy`
    : `\`${command}\` requires approval: ${justification}`
}

export function opaqueReason([first, ...others]: readonly Obstacle[]): string {
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return `it cannot be told what this would run: ${first?.reason ?? 'nothing is known'}${more}`
}

type QuestionKind =
  | 'rules'
  /** Leaves the sandbox, or runs without one. */
  | 'sandbox_approval'
  | 'opaque'
  | 'changes'

type Granularity = Readonly<Record<QuestionKind, boolean>>

/**
 * When a user is asked. `never`: questions of rules and escalations are refused; unknown commands run.
 * `on-request`: for rules, to leave the sandbox, and if a command may change something without a sandbox.
 * `untrusted`, `writes`: unless it only reads. `all`: always. Granular: kinds set to false are refused.
 */
export type ApprovalPolicy = (typeof approvalPolicies)[number] | { readonly granular: Granularity }

const questionKinds: readonly QuestionKind[] = ['rules', 'sandbox_approval', 'opaque', 'changes']

/** @throws {UsageError} naming the value */
export function checkApprovalPolicy(policy: ApprovalPolicy): ApprovalPolicy {
  if (typeof policy === 'string') {
    if (approvalPolicies.includes(policy)) return policy
    throw new UsageError(`approval is "${policy}"; known are ${approvalPolicies.join(', ')} and { granular }`)
  }
  const { granular } = policy as {
    readonly granular: Readonly<Partial<Record<QuestionKind, unknown>>> | undefined
  }
  const wrong = questionKinds.find((kind) => typeof granular?.[kind] !== 'boolean')
  if (wrong === undefined) return policy
  throw new UsageError(`granular approval says nothing of ${wrong}: give true or false`)
}

/** Null if asking is allowed, otherwise the refusal. */
function refusalInstead(
  policy: ApprovalPolicy,
  kind: QuestionKind,
  label: RefusalLabel,
): { readonly why: string; readonly label: RefusalLabel } | null {
  const refused = label === 'approval_required' ? 'approval_unavailable' : label
  if (policy === 'never') return { why: 'approval is "never", so nobody is asked', label: refused }
  if (typeof policy === 'string' || policy.granular[kind]) return null
  return { why: `questions of the kind ${kind} are switched off`, label: refused }
}

/** Whether unknown commands and changes ask, too. */
export function asksForUnknown(policy: ApprovalPolicy): boolean {
  return policy === 'untrusted' || policy === 'writes' || policy === 'all'
}

export function nameOfPolicy(policy: ApprovalPolicy): string {
  return typeof policy === 'string' ? policy : 'granular'
}
