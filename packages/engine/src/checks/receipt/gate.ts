/** Decides whether work may continue because of a receipt, such as merging without a person. */
import { parseReceipt, type CheckedCommand, type Receipt } from './receipt.ts'
import {
  compareLine,
  differs,
  type ReceiptLine,
  verifyReceipt,
  type ReceiptSources,
} from './verify-receipt.ts'

interface GateDemands {
  /** Verified signer, if authorized. */
  readonly signedBy?: string
  /** Required checks: `NAME=COMMAND` must be all it ran, `NAME` any command. Splits at the first `=`. */
  readonly requiredChecks: readonly string[]
}

export interface GateResult {
  readonly result: 'open' | 'closed'
  readonly lines: readonly ReceiptLine[]
}

/** Opens only for a verified run on this tree, shown by store or signature. @param sources not imported */
export function admitReceipt(receipt: unknown, sources: ReceiptSources, demands: GateDemands): GateResult {
  const { lines } = verifyReceipt(receipt, sources)
  const parsed = parseReceipt(receipt)
  const asked = parsed.kind === 'invalid' ? [] : demandLines(parsed.receipt, lines, sources, demands)
  const all = [...lines, ...asked]
  const isOpen = parsed.kind === 'receipt' && !all.some(({ status }) => status === 'differs')
  return { result: isOpen ? 'open' : 'closed', lines: all }
}

function demandLines(
  { predicate }: Receipt,
  compared: readonly ReceiptLine[],
  sources: ReceiptSources,
  { signedBy, requiredChecks }: GateDemands,
): readonly ReceiptLine[] {
  const { end, imported } = predicate
  const isTreeCompared = compared.some(
    ({ what, status }) => what.startsWith('subject.0.digest.') && status === 'matches',
  )
  const nobody = 'it is not signed by anybody who may, and the store here does not know the run'
  return [
    compareLine('gate: outcome', 'verified', end.outcome, 'nothing else opens it'),
    ...(imported === true
      ? [differs('gate: observed', true, false, 'the record was brought from elsewhere')]
      : []),
    ...(isTreeCompared
      ? []
      : [differs('gate: tree', 'the tree', undefined, 'no tree could be compared with the subject')]),
    ...(signedBy === undefined && sources.events === undefined
      ? [differs('gate: author', 'a signature or the record', undefined, nobody)]
      : []),
    ...requiredChecks.map((name) => requiredLine(name, predicate)),
  ]
}

function requiredLine(demand: string, { checks }: Receipt['predicate']): ReceiptLine {
  const [, name = demand, command] = /^([^=]+)=(.*)$/s.exec(demand) ?? []
  const verdict = checks.find((check) => check.name === name)?.verdict
  const hasNoVote = verdict?.qualifiers.some((word) => ['shadow', 'waived'].includes(word)) ?? false
  const found = verdict?.sameTree === false ? `${verdict.status} on another tree` : verdict?.status
  const said = hasNoVote ? `${found ?? ''} without a vote` : found
  const what = `gate: check ${name}`
  const other = command === undefined ? undefined : otherCommand(command, verdict?.commands ?? [])
  if (said === 'passed' && other !== undefined)
    return differs(what, command, other, 'was required to be all that the check ran, with exit code 0')
  return compareLine(what, 'passed', said, 'was required of the receipt')
}

/** Returns what the check ran instead. A check that ran nothing did not run the command. */
function otherCommand(command: string, ran: readonly CheckedCommand[]): string | undefined {
  if (ran.length === 0) return 'no command'
  const other = ran.find((one) => one.command !== command || one.exitCode !== 0)
  return other && `${other.command} (exit code ${String(other.exitCode)})`
}
