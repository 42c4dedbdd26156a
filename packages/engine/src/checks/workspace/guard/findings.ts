import type { GuardResponse, Evidence, FindingEvidence } from '@donecheck/core/internal/events/verdicts'
import { findRefusedChanges, type TamperFinding, whyOf } from '../../../analysis/tamper/index.ts'
import {
  covers,
  grantFor,
  keyOf,
  openOf,
  type AuthorityContext,
  type Grant,
  type OpenChange,
  authorityEvidence,
} from './authority.ts'
import { canBePutBack } from './independent-tree.ts'
import { isInForce, listPaths } from './options.ts'
import type { SidedChanges, TreeChange } from './sided-changes.ts'
import { undecidedResult, type VerifierResult } from '../../../ports/checks.ts'
import { messageOf, given } from '../../../base/index.ts'

export interface Ruling extends OpenChange {
  readonly finding: TamperFinding
  readonly response: GuardResponse
  readonly grant?: Grant | undefined
}

interface GuardChanges {
  readonly changes: readonly TreeChange[]
  readonly sides: SidedChanges
  /** Findings outside the tree: installed runners, git, configuration, processes. */
  readonly beside: readonly TamperFinding[]
}

export function rulingsOn(
  { changes, sides, beside }: GuardChanges,
  context: AuthorityContext,
): readonly Ruling[] {
  const contents = new Map(changes.map(({ path, after }) => [path, after?.digest ?? '']))
  const ruleOn = (response: Ruling['response']) => (finding: TamperFinding) => {
    const { rule, path, message, atMost } = finding
    const late = expiredFor({ path, rule, key: '' }, context)
    const open: OpenChange = {
      path,
      rule,
      key: keyOf('finding', rule, path, contents.get(path) ?? '', message),
    }
    return {
      ...open,
      finding: { ...finding, message: `${message}${late}` },
      response: atMost ?? response,
      grant: grantFor(open, context),
    }
  }
  const lost = openOf(sides.checkSide, context).filter((change) => !canBePutBack(change))
  return [
    ...findRefusedChanges(changes).map(ruleOn('refuse')),
    ...[...beside, ...lost.map(lostFinding)].map(ruleOn('ask')),
  ]
}

/** Reports expired waivers. */
function expiredFor(change: OpenChange, { options, nowMs }: AuthorityContext): string {
  const waiver = options.waivers?.find((known) => covers(known, change) && !isInForce(known, nowMs))
  return waiver === undefined ? '' : ` (the waiver of ${waiver.by} expired on ${waiver.until})`
}

export function openRulings(rulings: readonly Ruling[], response: Ruling['response']): readonly Ruling[] {
  return rulings.filter((ruling) => ruling.response === response && ruling.grant === undefined)
}

function lostFinding({ path }: OpenChange): TamperFinding {
  return {
    rule: 'check-script.changed',
    path,
    message:
      'it belongs to the checks, and what it was before was not kept: the earlier checks cannot be run without it',
  }
}

/** Listed findings; the total is always reported. */
const maxFindings = 200

interface Passing {
  readonly rulings: readonly Ruling[]
  readonly notes: readonly string[]
  readonly granted?: readonly (readonly [path: string, grant: Grant])[]
}

export function passedReport(reason: string, { rulings, notes, granted = [] }: Passing): VerifierResult {
  const ruled = rulings.flatMap(({ path, grant }) => (grant === undefined ? [] : [[path, grant] as const]))
  const all = [...granted, ...ruled]
  return {
    status: 'passed',
    reason: all.length === 0 ? reason : allowedReason(all),
    canRetry: true,
    qualifiers: all.some(([, { waiver }]) => waiver !== undefined) ? ['waived'] : [],
    evidence: [...authorityEvidence(all), ...evidenceOf(rulings, notes)],
  }
}

function allowedReason(granted: readonly (readonly [path: string, grant: Grant])[]): string {
  const names = [...new Set(granted.map(([, { by }]) => by))].join(', ')
  return `changes of the checks allowed by ${names}: ${listPaths(granted.map(([path]) => path))}`
}

/** @param what precedes the problem, such as `it cannot be checked: ` */
export function failureReport(error: unknown, signal: AbortSignal, what = ''): VerifierResult {
  const problem = messageOf(error)
  return undecidedResult(signal.aborted ? 'interrupted' : `${what}${problem}`)
}

export function refusalReport(
  response: Ruling['response'],
  rulings: readonly Ruling[],
  canRetry: boolean,
): VerifierResult {
  const orAllowed = response === 'ask' ? ', or let somebody allow it by name: --may-change PATH' : ''
  return {
    status: 'failed',
    reason: `${reasonOf(openRulings(rulings, response))}; undo it${orAllowed}`,
    canRetry,
    qualifiers: ['tampered'],
    evidence: evidenceOf(rulings, []),
  }
}

/** Undecided until a user approves. */
export function waitingReport(reason: string, rulings: readonly Ruling[]): VerifierResult {
  return { status: 'pending', reason, canRetry: true, qualifiers: [], evidence: evidenceOf(rulings, []) }
}

export function reasonOf(open: readonly Ruling[]): string {
  const [first] = open
  if (first === undefined) return 'the checks were changed'
  const { rule, path, message } = first.finding
  const more = open.length === 1 ? '' : ` (and ${open.length - 1} more)`
  return `${path}: ${message} [${rule}]${more}`
}

function evidenceOf(rulings: readonly Ruling[], notes: readonly string[]): readonly Evidence[] {
  const left = rulings.length - maxFindings
  const texts = left > 0 ? [...notes, `${left} more findings are not shown`] : notes
  const shown = rulings
    .slice(0, maxFindings)
    .map(({ finding, response, grant }) => findingEvidence(finding, response, grant))
  return [...shown, ...texts.map((text) => ({ kind: 'note' as const, text }))]
}

function findingEvidence(
  { rule, path, line, message }: TamperFinding,
  response: Ruling['response'],
  grant?: Grant,
): FindingEvidence {
  const { waiver } = grant ?? {}
  return {
    kind: 'finding',
    rule,
    response: grant === undefined ? response : 'note',
    message,
    why: whyOf(rule),
    path,
    ...given({ line, waiver: waiver && { by: waiver.by, until: waiver.until, reason: waiver.reason } }),
  }
}
