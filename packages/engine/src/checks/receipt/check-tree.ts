/** The subject of a receipt against what is in the folder now. */
import type { Receipt } from './receipt.ts'
import { compareLine, notChecked, type ReceiptLine } from './receipt-line.ts'

export interface TreeNow {
  /** As `Workspace.fingerprint` gives it. */
  readonly fingerprint?: string
  readonly gitCommit?: string
  readonly gitTree?: string
}

/** What is told of the tree and not in the receipt differs; what is in the receipt and not told is not checked. */
export function checkTree({ subject: [tree] }: Receipt, now: TreeNow): readonly ReceiptLine[] {
  if (tree?.annotations.donecheck !== 'tree') return answerOnly(now)
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

function answerOnly({ fingerprint }: TreeNow): readonly ReceiptLine[] {
  if (fingerprint === undefined) return []
  return [notChecked('subject', undefined, 'the receipt is about an answer: it says nothing of any tree')]
}
