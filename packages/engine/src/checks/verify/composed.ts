import {
  allRequired,
  quorum,
  weightedScore,
  type Vote,
  type Aggregator,
} from '@donecheck/core/internal/decide/aggregate'
import type { Evidence } from '@donecheck/core/internal/events/verdicts'
import { UsageError } from '../../base/index.ts'
import type { Verifier, VerifierContext, VerifierResult } from '../../ports/checks.ts'
import { interruptedReport } from './reports/reports.ts'
import { namedOptions, readOptions, verifierBy, type NamedOptions } from './reports/verifier-of.ts'

export type Combination =
  | { readonly kind: 'all' }
  | { readonly kind: 'any' }
  | { readonly kind: 'quorum'; readonly atLeast: number }
  /** Ratio of the members' weight that must pass, above 0 up to 1. */
  | { readonly kind: 'weighted'; readonly threshold: number }

type PolicyVerdict = ReturnType<Aggregator>

interface Asked {
  readonly member: Verifier
  readonly report: VerifierResult
}

/**
 * Combines checks into one verdict by a policy. Deterministic members run first, others one by one while
 * undecided. A broken member is `error`; `required: false` has no vote.
 * @throws {UsageError} for no member, equal names, or an unreachable number
 */
export function composed(
  combination: Combination,
  members: readonly Verifier[],
  given: NamedOptions = {},
): Verifier {
  const options = readOptions(namedOptions, given, 'composed')
  const policy = policyOf(combination, members)
  const name = options.name ?? titleOf(combination, members)
  const verifier = verifierBy(name, (context, signal) => askMembers(policy, members, context, signal), {
    ...options,
    exclusive: options.exclusive ?? members.some(({ exclusive }) => exclusive === true),
    deterministic: members.every(({ description }) => description.deterministic),
    reads: members.some(({ description }) => description.reads === 'workspace') ? 'workspace' : 'answer',
    looksAt: members.every(isOfWorkFolder) ? 'work-folder' : 'checked-tree',
  })
  return {
    ...verifier,
    async ready(context) {
      for (const member of members) await member.ready?.(contextFor(member, context))
    },
  }
}

async function askMembers(
  policy: Aggregator,
  members: readonly Verifier[],
  context: VerifierContext,
  signal: AbortSignal,
): Promise<VerifierResult> {
  const inOrder = [...members.filter(isDeterministic), ...members.filter((one) => !isDeterministic(one))]
  const asked: Asked[] = []
  for (const [index, member] of inOrder.entries()) {
    if (signal.aborted) return interruptedReport()
    if (!isDeterministic(member) && isSettled(policy, asked, inOrder.slice(index))) break
    asked.push({ member, report: await member.verify(contextFor(member, context), signal) })
  }
  const left = inOrder.slice(asked.length)
  return reportOf(policy(ballotsOf(asked, left, 'skipped')), policy, asked, left)
}

/** Whether the rest cannot change the result. */
function isSettled(policy: Aggregator, asked: readonly Asked[], left: readonly Verifier[]): boolean {
  const best = policy(ballotsOf(asked, left, 'passed'))
  const worst = policy(ballotsOf(asked, left, 'failed'))
  return best.status !== 'passed' || worst.status === 'passed'
}

function reportOf(
  result: PolicyVerdict,
  policy: Aggregator,
  asked: readonly Asked[],
  left: readonly Verifier[],
): VerifierResult {
  const costs = asked.flatMap(({ report: { costUsd } }) => (costUsd === undefined ? [] : [costUsd]))
  const attachments = asked.flatMap(({ report }) => report.attachments ?? [])
  return {
    status: result.status,
    reason: reasonOf(result, asked, left),
    canRetry: policy(ballotsOf(asked.map(withoutHope), left, 'passed')).status === 'passed',
    qualifiers: [...new Set(asked.flatMap(({ report }) => report.qualifiers))],
    evidence: asked.flatMap(evidenceOf),
    ...(costs.length === 0 ? {} : { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
    ...(attachments.length === 0 ? {} : { attachments }),
  }
}

/** The best result that another turn could reach. */
function withoutHope({ member, report }: Asked): Asked {
  const isFatal = report.status !== 'passed' && !report.canRetry
  return { member, report: { ...report, status: isFatal ? 'failed' : 'passed' } }
}

function reasonOf(
  { status, because }: PolicyVerdict,
  asked: readonly Asked[],
  left: readonly Verifier[],
): string {
  const said = asked
    .filter(({ member }) => because.includes(member.description.name))
    .map(({ member, report }) => `${member.description.name}: ${report.reason}`)
  const passed = asked.filter(({ report }) => report.status === 'passed').length
  const notAsked = left.length === 0 ? '' : `, ${left.length} not asked`
  return `${passed} of ${asked.length + left.length} passed${notAsked}${said.length === 0 ? ` (${status})` : `; ${said.join('; ')}`}`
}

function evidenceOf({ member, report }: Asked): readonly Evidence[] {
  const text = `${member.description.name}: ${report.status}: ${report.reason}`
  return [{ kind: 'note', text }, ...report.evidence]
}

function ballotsOf(
  asked: readonly Asked[],
  left: readonly Verifier[],
  statusOfRest: 'passed' | 'failed' | 'skipped',
): readonly Vote[] {
  const rest: readonly Asked[] = left.map((member) => ({
    member,
    report: { status: statusOfRest, reason: '', canRetry: true, qualifiers: [], evidence: [] },
  }))
  return [...asked, ...rest].map(({ member: { description }, report }) => ({
    verdict: { ...report, verifier: description.name, durationMs: 0 },
    required: description.required,
    weight: description.weight,
    deterministic: description.deterministic,
  }))
}

function policyOf(combination: Combination, members: readonly Verifier[]): Aggregator {
  const names = members.map(({ description }) => description.name)
  const voters = members.filter(({ description }) => description.required).length
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (voters === 0)
    throw new UsageError(`${combination.kind} has no check that may decide; give at least one`)
  if (twice !== undefined)
    throw new UsageError(`${combination.kind} has two checks called "${twice}"; give each a name of its own`)
  switch (combination.kind) {
    case 'all':
      return allRequired
    case 'any':
      return quorum({ atLeast: 1 })
    case 'quorum': {
      const { atLeast } = combination
      if (Number.isInteger(atLeast) && atLeast >= 1 && atLeast <= voters) return quorum({ atLeast })
      throw new UsageError(`atLeast is ${atLeast}; give a whole number from 1 to ${voters}`)
    }
    case 'weighted': {
      const { threshold } = combination
      if (threshold > 0 && threshold <= 1) return weightedScore({ threshold })
      throw new UsageError(`threshold is ${threshold}; give a share above 0, up to 1`)
    }
  }
}

function titleOf(combination: Combination, members: readonly Verifier[]): string {
  const names = members.map(({ description }) => description.name).join(', ')
  switch (combination.kind) {
    case 'all':
    case 'any':
      return `${combination.kind} of: ${names}`
    case 'quorum':
      return `${combination.atLeast} of: ${names}`
    case 'weighted':
      return `${combination.threshold} of the weight of: ${names}`
  }
}

function isDeterministic({ description }: Verifier): boolean {
  return description.deterministic
}

function isOfWorkFolder({ looksAt }: Verifier): boolean {
  return looksAt === 'work-folder'
}

/** For such a member the work folder itself is the tree. */
function contextFor(member: Verifier, context: VerifierContext): VerifierContext {
  const { projectFolder } = context
  if (!isOfWorkFolder(member) || projectFolder === undefined) return context
  return { ...context, workFolder: projectFolder }
}
