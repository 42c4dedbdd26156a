/** What a receipt says of itself: it needs no event to be seen wrong. */
import { allRequired, deterministicVeto, heldOutGap } from '@donecheck/core/policies'
import { outcomeOf } from '@donecheck/core/stops'
import { digestOfStatement } from './build-receipt.ts'
import { differences } from './differences.ts'
import type { CheckedVerifier, Receipt, ReceiptPredicate } from './receipt.ts'
import { compareLine, differs, type ReceiptLine } from './receipt-line.ts'

/** @param raw the receipt as it was brought, with fields that we do not know */
export function checkItself(
  receipt: Receipt,
  raw: object,
  rawPredicate: object,
  nowMs: number | undefined,
): readonly ReceiptLine[] {
  const { predicate } = receipt
  const why = 'computed over everything else in the receipt'
  return [
    compareLine('predicate.digest', digestOfStatement(raw, rawPredicate), predicate.digest, why),
    ...checkEnd(predicate),
    ...predicate.checks.flatMap(checkCounts),
    ...predicate.checks.flatMap(checkSameTree),
    ...differences(heldOutGap(predicate.checks), predicate.heldOut, 'predicate.heldOut').map(
      ({ path, expected, found }) => differs(path, expected, found, 'counted over the checks'),
    ),
    ...(nowMs === undefined ? [] : checkWaivers(predicate, nowMs)),
  ]
}

/** An outcome that contradicts the checks: they are what it is made of. */
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

/** Policies under which every required check must pass. Others may do with less, or turn a verdict round. */
const strictPolicies: readonly string[] = [deterministicVeto.name, allRequired.name]

function isDecided({ verdict }: CheckedVerifier): boolean {
  return verdict?.status === 'passed' || verdict?.status === 'failed'
}

/** What failed before the run began may have been allowed to go on failing. */
function isOpen({ verdict }: CheckedVerifier): boolean {
  if (verdict === null || verdict.status === 'passed' || verdict.status === 'skipped') return false
  return !verdict.qualifiers.some((word) => ['pre-existing', 'shadow', 'waived'].includes(word))
}

function checkCounts({ verdict }: CheckedVerifier, index: number): readonly ReceiptLine[] {
  return (verdict?.tests ?? []).flatMap(({ counts }, report) => {
    const { passed, failed, errored, skipped, total } = counts
    const sum = passed + failed + errored + skipped
    if (sum === total) return []
    const what = `predicate.checks.${index}.verdict.tests.${report}.counts.total`
    return [differs(what, sum, total, 'the sum of the other counts')]
  })
}

/** The independent tree is never what is delivered. */
function checkSameTree({ verdict }: CheckedVerifier, index: number): readonly ReceiptLine[] {
  if (verdict?.tree !== 'independent-tree' || !verdict.sameTree) return []
  const what = `predicate.checks.${index}.verdict.sameTree`
  return [differs(what, false, true, 'it looked at the independent tree alone')]
}

const dayMs = 86_400_000

/** A waiver holds until the end of its day, in UTC. A date that is none never held. */
function checkWaivers({ findings }: ReceiptPredicate, nowMs: number): readonly ReceiptLine[] {
  return findings.flatMap(({ rule, waiver }, index) => {
    if (waiver === undefined) return []
    const lastDayMs = /^\d{4}-\d{2}-\d{2}$/.test(waiver.until) ? Date.parse(waiver.until) : Number.NaN
    if (nowMs < lastDayMs + dayMs) return []
    const why = `the waiver of ${rule} by ${waiver.by} holds no longer`
    return [differs(`predicate.findings.${index}.waiver.until`, 'a day to come', waiver.until, why)]
  })
}
