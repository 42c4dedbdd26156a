import type { Evidence, FindingEvidence } from '@donecheck/core/verdicts'
import type { OpenQuestion } from '../../../ports/gate.ts'
import { undecidedReport, type VerifierReport, type GuardRequest } from '../../../ports/checks.ts'
import { whyOf, type TamperFinding } from '../../../analysis/tamper/index.ts'
import { authorityEvidence, type Grant } from './authority/authority.ts'
import { openRulings, type Ruling } from './findings.ts'
import { messageOf, given } from '../../../base/index.ts'

/** Findings that are told one by one; the number of all is always told. */
const maxFindings = 200

interface Passing {
  readonly rulings: readonly Ruling[]
  readonly notes: readonly string[]
  /** Changes of the check side that somebody has allowed, by path. */
  readonly granted?: readonly (readonly [path: string, grant: Grant])[]
}

/** Nothing needs a name that it does not have. */
export function passedReport(reason: string, { rulings, notes, granted = [] }: Passing): VerifierReport {
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

/** The first few, and how many more there are. */
export function listPaths(paths: readonly string[], most = 5): string {
  const distinct = [...new Set(paths)]
  const more = distinct.length > most ? ` and ${distinct.length - most} more` : ''
  return `${distinct.slice(0, most).join(', ')}${more}`
}

/** Of a failure on the way. @param what comes before the problem, such as `it cannot be checked: ` */
export function failureReport(error: unknown, signal: AbortSignal, what = ''): VerifierReport {
  const problem = messageOf(error)
  return undecidedReport(signal.aborted ? 'interrupted' : `${what}${problem}`)
}

/** @param canRetry the drive may undo it */
export function refusalReport(
  response: Ruling['response'],
  rulings: readonly Ruling[],
  canRetry: boolean,
  notes: readonly string[],
): VerifierReport {
  const orAllowed = response === 'ask' ? ', or let somebody allow it by name: --may-change PATH' : ''
  return {
    status: 'failed',
    reason: `${reasonOf(openRulings(rulings, response))}; undo it${orAllowed}`,
    canRetry,
    qualifiers: ['tampered'],
    evidence: evidenceOf(rulings, notes),
  }
}

/** Nothing is decided until somebody allows it by name. */
export function waiting(
  rulings: readonly Ruling[],
  notes: readonly string[],
  request: GuardRequest,
  open: OpenQuestion | undefined,
): VerifierReport {
  return {
    status: 'pending',
    reason: askToAllow(reasonOf(openRulings(rulings, 'ask')), request, open),
    canRetry: true,
    qualifiers: [],
    evidence: evidenceOf(rulings, notes),
  }
}

function reasonOf(open: readonly Ruling[]): string {
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

export function findingEvidence(
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

/**
 * Nobody can be told any more: there is no drive, or it was told and claims again, or a cap ends it.
 * @param wasTold the drive has heard of it before
 */
export function isFinal({ trigger, canRetry }: GuardRequest, wasTold: boolean): boolean {
  if (!canRetry || trigger === 'cap') return true
  return wasTold && (trigger === 'claim' || trigger === 'held-out')
}

/** How a person allows what is open, before what it is: a line that is cut keeps it. @param open where the question is kept */
export function askToAllow(reason: string, { runId, canRetry }: GuardRequest, open?: OpenQuestion): string {
  const command = `donecheck approve ${open?.openQuestion ?? runId}`
  const way = canRetry ? command : '--may-change PATH, or a waiver in the configuration'
  return `needs approval (${way}): ${reason}`
}
