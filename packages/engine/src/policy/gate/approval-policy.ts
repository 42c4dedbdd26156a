import type { RefusalLabel } from '@donecheck/core/gate'
import { UsageError } from '../../base/index.ts'
import { approvalPolicies } from '../../ports/gate.ts'

/** What a question is about. */
export type QuestionKind =
  /** A rule, yours or built in, wants it asked. */
  | 'rules'
  /** To leave the sandbox, or to run where there is none. */
  | 'sandbox_approval'
  /** It cannot be told what would run. */
  | 'undecidable'
  /** Files would change. */
  | 'changes'

export type Granularity = Readonly<Record<QuestionKind, boolean>>

/**
 * When a person is asked. `never`: nobody is; what a rule or an escalation would ask for is refused, and what no
 * rule knows runs. `on-request`: for what a rule wants asked, and to leave the sandbox; without a sandbox also for every
 * command that may change something. `untrusted`, `writes`: for everything but what only reads. `all`: for every call.
 * Granular: as `on-request`, but kinds of questions that are false are refused instead of asked.
 */
export type ApprovalPolicy = (typeof approvalPolicies)[number] | { readonly granular: Granularity }

const questionKinds: readonly QuestionKind[] = ['rules', 'sandbox_approval', 'undecidable', 'changes']

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

/** Null: it is asked. Otherwise why it cannot be, and under which label it is refused. */
export function refusalInstead(
  policy: ApprovalPolicy,
  kind: QuestionKind,
  label: RefusalLabel,
): { readonly why: string; readonly label: RefusalLabel } | null {
  const refused = label === 'approval_required' ? 'approval_unavailable' : label
  if (policy === 'never') return { why: 'approval is "never", so nobody is asked', label: refused }
  if (typeof policy === 'string' || policy.granular[kind]) return null
  return { why: `questions of the kind ${kind} are switched off`, label: refused }
}

/** Whether commands and changes that no rule knows are asked for as well. */
export function asksForUnknown(policy: ApprovalPolicy): boolean {
  return policy === 'untrusted' || policy === 'writes' || policy === 'all'
}

/** As it is told. */
export function nameOfPolicy(policy: ApprovalPolicy): string {
  return typeof policy === 'string' ? policy : 'granular'
}
