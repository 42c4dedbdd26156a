import type { EpochMs, RunEvent } from '@donecheck/core/events'
import { checkChain } from './chain.ts'
import { checkEvents } from './check-events.ts'
import { checkItself } from './check-itself.ts'
import { parseReceipt, type Receipt } from './receipt.ts'
import { differs, notChecked, type ReceiptLine, compareLine } from './receipt-line.ts'

/** All that a receipt can be compared with; what is missing is said to be not checked. */
export interface ReceiptSources extends TreeNow {
  /** All that the store has of the run, in order. */
  readonly events?: readonly RunEvent[]
  /** With it, waivers that have run out since are told. */
  readonly nowMs?: EpochMs
}

export interface ReceiptCheck {
  /**
   * `differs`: at least one line does. `matches`: none does, and both the events and the tree were compared.
   * `partly-checked`: none does, and one of both was not given.
   */
  readonly result: 'matches' | 'differs' | 'partly-checked'
  readonly lines: readonly ReceiptLine[]
}

/**
 * Recomputes everything that can be, and says line by line what holds. A match proves that receipt and store agree: that
 * neither was changed by accident, or by somebody who could not change the other. It does not prove who wrote them.
 */
export function verifyReceipt(receipt: unknown, sources: ReceiptSources = {}): ReceiptCheck {
  const parsed = parseReceipt(receipt)
  if (parsed.kind === 'invalid')
    return {
      result: 'differs',
      lines: parsed.problems.map(({ what, problem }) => differs(what, 'a receipt', undefined, problem)),
    }
  const lines = recomputeReceipt(parsed.receipt, receipt, sources)
  if (lines.some(({ status }) => status === 'differs')) return { result: 'differs', lines }
  const isAboutTree = parsed.receipt.subject[0]?.annotations.donecheck === 'tree'
  // A tree that was given and that the receipt says nothing of was not compared either.
  const isTreeCompared = isAboutTree === ((sources.fingerprint ?? sources.gitTree) !== undefined)
  const isWhole = sources.events !== undefined && isTreeCompared
  return { result: isWhole ? 'matches' : 'partly-checked', lines }
}

function recomputeReceipt(receipt: Receipt, raw: unknown, sources: ReceiptSources): readonly ReceiptLine[] {
  const { events, nowMs } = sources
  try {
    const whole = objectOf(raw)
    const predicate = 'predicate' in whole ? objectOf(whole.predicate) : {}
    return [
      ...checkItself(receipt, whole, predicate, nowMs),
      ...(events === undefined
        ? [notChecked('predicate', undefined, 'the events of the run were not given')]
        : [...checkChain(receipt.predicate.chain, events), ...checkEvents(receipt, whole, events)]),
      ...checkTree(receipt, sources),
    ]
  } catch (error) {
    // Fields that we do not know may be nested deeper than anything can be looked at.
    if (!(error instanceof RangeError)) throw error
    return [differs('receipt', 'a receipt', undefined, 'it is nested too deeply')]
  }
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

export interface TreeNow {
  /** As `Workspace.fingerprint` gives it. */
  readonly fingerprint?: string
  readonly gitCommit?: string
  readonly gitTree?: string
}

/** What is told of the tree and not in the receipt differs; what is in the receipt and not told is not checked. */
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
