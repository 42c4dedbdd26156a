import type { FindingEvidence, NoteEvidence } from '../../events/index.ts'
import type { GuardRequest, VerifierReport } from '../../ports.ts'
import { isFreeable, whyOf } from '../../tamper/index.ts'
import { keyOf, ruledAs, type Ruling } from './rulings.ts'

/** Findings that are told one by one; the number of all is always told. */
const mostFindings = 200

/** What the guard says where it could not decide: no check is asked. */
export function undecided(reason: string): VerifierReport {
  return { status: 'error', reason, canRetry: true, qualifiers: [], evidence: [] }
}

export function passed(reason: string, rulings: readonly Ruling[], notes: readonly string[]): VerifierReport {
  return {
    status: 'passed',
    reason,
    canRetry: true,
    qualifiers: rulings.some(({ waiver }) => waiver !== undefined) ? ['waived'] : [],
    evidence: evidenceOf(rulings, notes),
  }
}

/** The drive is told once; who then claims to be done, or ends, with the same in place is told that it is over. */
export function refused(
  rulings: readonly Ruling[],
  told: readonly string[],
  trigger: GuardRequest['trigger'],
  notes: readonly string[],
): VerifierReport {
  const refusals = ruledAs(rulings, 'refuse')
  const isLast = trigger === 'claim' || trigger === 'cap' || trigger === 'held-out'
  const isStubborn = isLast && refusals.some(({ finding }) => told.includes(keyOf(finding)))
  return {
    status: 'failed',
    reason: refusalOf(refusals),
    canRetry: !isStubborn,
    qualifiers: ['tampered'],
    evidence: evidenceOf(rulings, notes),
  }
}

function refusalOf(refusals: readonly Ruling[]): string {
  const [first] = refusals
  if (first === undefined) return 'the checks were changed'
  const { rule, path, message } = first.finding
  const more = refusals.length === 1 ? '' : ` (and ${refusals.length - 1} more)`
  const remark = first.remark === undefined ? '' : `; ${first.remark}`
  const found = `the checks were changed: ${message} [${rule}]${more}${remark}. Put ${path} back as it was at the start`
  if (!isFreeable(rule)) return `${found}; the rules of a run are changed between two runs only, by a person`
  return `${found}; a person may allow it with mayChange: ["${path}"] or waive: [{ rule: "${rule}", path: "${path}", by, until, reason }] in the configuration`
}

export function waiting(rulings: readonly Ruling[], notes: readonly string[]): VerifierReport {
  const [first, ...others] = ruledAs(rulings, 'ask')
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return {
    status: 'pending',
    reason: `a person must decide about a change of the checks: ${first?.finding.message ?? ''}${more}`,
    canRetry: true,
    qualifiers: [],
    evidence: evidenceOf(rulings, notes),
  }
}

function evidenceOf(
  rulings: readonly Ruling[],
  notes: readonly string[],
): readonly (FindingEvidence | NoteEvidence)[] {
  const left = rulings.length - mostFindings
  const texts = left > 0 ? [...notes, `${left} more findings are not shown`] : notes
  return [
    ...rulings.slice(0, mostFindings).map(findingEvidence),
    ...texts.map((text) => ({ kind: 'note' as const, text })),
  ]
}

function findingEvidence({ finding, response, waiver, remark }: Ruling): FindingEvidence {
  const { rule, path, line, message } = finding
  return {
    kind: 'finding',
    rule,
    response,
    message: remark === undefined ? message : `${message} (${remark})`,
    why: whyOf(rule),
    path,
    ...(line === undefined ? {} : { line }),
    ...(waiver === undefined ? {} : { waiver }),
  }
}
