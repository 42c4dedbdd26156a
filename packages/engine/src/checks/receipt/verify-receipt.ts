import type { EpochMs, RunEvent } from '@donecheck/core/internal/events'
import { parseReceipt, type Receipt, type CheckedVerifier, type ReceiptPredicate } from './receipt.ts'
import { allRequired, deterministicVeto } from '@donecheck/core/internal/decide/aggregate'
import { outcomeOf } from '@donecheck/core/internal/decide/stops'
import { buildReceipt, digestOfStatement, headOf } from './build-receipt.ts'
import { messageOf, given } from '../../base/index.ts'

/** Sources to compare a receipt with; a missing one is reported as not checked. */
export interface ReceiptSources extends TreeNow {
  readonly events?: readonly RunEvent[]
  /** If given, expired waivers are reported. */
  readonly nowMs?: EpochMs
}

export interface ReceiptCheck {
  /** `differs`: a line does. `matches`: none does. `partly-checked`: events or tree were missing. */
  readonly result: 'matches' | 'differs' | 'partly-checked'
  readonly lines: readonly ReceiptLine[]
}

/** Recomputes what it can, line by line. A match shows that receipt and store agree, not who wrote them. */
export function verifyReceipt(receipt: unknown, sources: ReceiptSources = {}): ReceiptCheck {
  const parsed = parseReceipt(receipt)
  if (parsed.kind === 'invalid')
    return {
      result: 'differs',
      lines: parsed.problems.map(({ what, problem }) => differs(what, 'a receipt', undefined, problem)),
    }
  const { events, nowMs } = sources
  const lines = [
    ...checkItself(parsed.receipt, nowMs),
    ...(events === undefined
      ? [notChecked('predicate', undefined, 'the events of the run were not given')]
      : checkEvents(parsed.receipt, events)),
    ...checkTree(parsed.receipt, sources),
  ]
  if (lines.some(({ status }) => status === 'differs')) return { result: 'differs', lines }
  const isAboutTree = parsed.receipt.subject[0]?.annotations.donecheck === 'tree'
  // A given tree without a subject in the receipt was not compared either.
  const isTreeCompared = isAboutTree === ((sources.fingerprint ?? sources.gitTree) !== undefined)
  const isWhole = sources.events !== undefined && isTreeCompared
  return { result: isWhole ? 'matches' : 'partly-checked', lines }
}

export interface TreeNow {
  /** As returned by `Workspace.fingerprint`. */
  readonly fingerprint?: string
  readonly gitCommit?: string
  readonly gitTree?: string
}

/** A given value without one in the receipt differs; a receipt value without a given one is not checked. */
function checkTree({ subject: [tree] }: Receipt, now: TreeNow): readonly ReceiptLine[] {
  if (tree?.annotations.donecheck !== 'tree')
    return now.fingerprint === undefined
      ? []
      : [notChecked('subject', undefined, 'the receipt is about an answer: it says nothing of any tree')]
  const fingerprintKey = 'sha256' in tree.digest ? 'sha256' : 'donecheckFingerprint'
  return [
    one(fingerprintKey, tree.digest, now.fingerprint, 'the tree as it is now'),
    ...(['gitCommit', 'gitTree'] as const)
      .filter((key) => key in tree.digest || now[key] !== undefined)
      .map((key) => one(key, tree.digest, now[key], 'what git says now')),
  ]
}

function one(
  key: string,
  digest: Readonly<Record<string, string>>,
  now: string | undefined,
  why: string,
): ReceiptLine {
  const what = `subject.0.digest.${key}`
  if (now !== undefined) return compareLine(what, now, digest[key], why)
  return notChecked(what, digest[key], 'nothing was given to compare it with')
}

function checkItself(receipt: Receipt, nowMs: number | undefined): readonly ReceiptLine[] {
  const { predicate } = receipt
  const why = 'computed over everything else in the receipt'
  return [
    compareLine('predicate.digest', digestOfStatement(receipt), predicate.digest, why),
    ...checkEnd(predicate),
    ...predicate.checks.flatMap(checkSameTree),
    ...(nowMs === undefined ? [] : checkWaivers(predicate, nowMs)),
  ]
}

/** Compares the outcome with the checks it results from. */
function checkEnd({ end, checks, policy }: ReceiptPredicate): readonly ReceiptLine[] {
  const what = 'predicate.end.outcome'
  const lines = [compareLine(what, outcomeOf[end.reason], end.outcome, `what the reason ${end.reason} means`)]
  if (end.outcome !== 'verified') return lines
  const voters = checks.filter(({ role, required }) => role !== 'guard' && required)
  const reasons = [
    ...(voters.some(isDecided) ? [] : ['no required check has decided anything']),
    ...checks
      .filter(({ role, verdict }) => role === 'guard' && verdict?.status !== 'passed')
      .map(({ name }) => `the guard ${name} has not passed`),
    ...voters
      .filter((check) => strictPolicies.includes(policy.name) && isOpen(check))
      .map(({ name }) => `${name} is required and has not passed`),
  ]
  return [...lines, ...reasons.map((reason) => differs(what, 'not verified', end.outcome, reason))]
}

/** Policies that require every required check to pass. */
const strictPolicies: readonly string[] = [deterministicVeto.name, allRequired.name]

function isDecided({ verdict }: CheckedVerifier): boolean {
  return verdict?.status === 'passed' || verdict?.status === 'failed'
}

/** Ignores failures from before the run that were tolerated. */
function isOpen({ verdict }: CheckedVerifier): boolean {
  if (verdict === null || verdict.status === 'passed' || verdict.status === 'skipped') return false
  return !verdict.qualifiers.some((word) => ['pre-existing', 'shadow', 'waived'].includes(word))
}

/** The restored tree is never the delivered one. */
function checkSameTree({ verdict }: CheckedVerifier, index: number): readonly ReceiptLine[] {
  if (verdict?.tree !== 'independent-tree' || !verdict.sameTree) return []
  const what = `predicate.checks.${index}.verdict.sameTree`
  return [differs(what, false, true, 'it looked at the restored tree alone')]
}

const dayMs = 86_400_000

/** A waiver is valid until the end of its day, UTC. An invalid date never is. */
function checkWaivers({ findings }: ReceiptPredicate, nowMs: number): readonly ReceiptLine[] {
  return findings.flatMap(({ rule, waiver }, index) => {
    if (waiver === undefined) return []
    const lastDayMs = /^\d{4}-\d{2}-\d{2}$/.test(waiver.until) ? Date.parse(waiver.until) : Number.NaN
    if (nowMs < lastDayMs + dayMs) return []
    const why = `the waiver of ${rule} by ${waiver.by} holds no longer`
    return [differs(`predicate.findings.${index}.waiver.until`, 'a day to come', waiver.until, why)]
  })
}

/** Values from the receipt's author that no event contains. */
const reported = ['predicate.versions.receipt', 'predicate.versions.node']
const comparedElsewhere = ['predicate.digest', 'predicate.chain.length', 'predicate.chain.head']

/** Compares the chain, then the receipt with one rebuilt from the events. */
function checkEvents(receipt: Receipt, events: readonly RunEvent[]): readonly ReceiptLine[] {
  const { length, head } = receipt.predicate.chain
  const first = events.slice(0, length)
  const hasGoneOn = events.length > length
  const why = hasGoneOn
    ? 'the run has gone on since: ask for a new receipt'
    : 'the number of events in the store'
  const chain = [
    compareLine('predicate.chain.length', events.length, length, why),
    compareLine('predicate.chain.head', headOf(first), head, 'computed over the events'),
  ]
  const rebuilt = rebuild(receipt, first)
  if (typeof rebuilt === 'string') return [...chain, differs('events', 'a whole run', undefined, rebuilt)]
  const found = differences(rebuilt, receipt, '').filter(({ path }) => !comparedElsewhere.includes(path))
  const lines = found.map((one) => differs(one.path, one.expected, one.found, whyOf(one.path, receipt)))
  return [
    ...chain,
    ...(lines.length === 0 ? [matches('predicate', undefined, 'built from the events again')] : lines),
    ...reported.map((place) => notChecked(place, undefined, 'no event tells it')),
  ]
}

function rebuild(receipt: Receipt, events: readonly RunEvent[]): Receipt | string {
  const { versions, imported } = receipt.predicate
  const { gitCommit, gitTree } = receipt.subject[0]?.digest ?? {}
  try {
    return buildReceipt({
      events,
      packageVersion: versions.receipt,
      nodeVersion: versions.node,
      ...given({ imported, gitCommit, gitTree }),
    })
  } catch (error) {
    return messageOf(error)
  }
}

function whyOf(path: string, { predicate }: Receipt): string {
  const index = /^predicate\.checks\.(\d+)/.exec(path)?.[1]
  const check = index === undefined ? undefined : predicate.checks[Number(index)]
  if (check === undefined) return 'built from the events again'
  const event = check.verdict === null ? '' : `, event ${check.verdict.sequence}`
  return `check ${check.name}${event}, built from the events again`
}

interface Difference {
  readonly path: string
  readonly expected: unknown
  readonly found: unknown
}

function differences(expected: unknown, found: unknown, path: string): readonly Difference[] {
  if (!isParent(expected) || !isParent(found) || Array.isArray(expected) !== Array.isArray(found))
    // JSON has one zero.
    return expected === found || Object.is(expected, found) ? [] : [{ path, expected, found }]
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)])
  return [...keys].flatMap((key) =>
    differences(at(expected, key), at(found, key), path === '' ? key : `${path}.${key}`),
  )
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function at(parent: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(parent, key)?.value
}

export interface ReceiptLine {
  /** Location in the statement, such as `predicate.checks.0.verdict.status`. */
  readonly what: string
  /** `not-checked`: nothing to compare with. Never a match. */
  readonly status: 'matches' | 'differs' | 'not-checked'
  /** Computed value, shortened; null if none. */
  readonly expected: string | null
  /** Receipt's value, shortened; null if none. */
  readonly found: string | null
  readonly why: string
}

const maxCharacters = 200

export function differs(what: string, expected: unknown, found: unknown, why: string): ReceiptLine {
  return { what, status: 'differs', expected: formatValue(expected), found: formatValue(found), why }
}

export function matches(what: string, value: unknown, why: string): ReceiptLine {
  return { what, status: 'matches', expected: formatValue(value), found: formatValue(value), why }
}

export function notChecked(what: string, found: unknown, why: string): ReceiptLine {
  return { what, status: 'not-checked', expected: null, found: formatValue(found), why }
}

/** One line, for a value that is either as it should be or not. */
export function compareLine(what: string, expected: unknown, found: unknown, why: string): ReceiptLine {
  return expected === found ? matches(what, found, why) : differs(what, expected, found, why)
}

function formatValue(value: unknown): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`
}
