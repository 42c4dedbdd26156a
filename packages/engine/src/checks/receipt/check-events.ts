/** A receipt against the one that the events give now. */
import type { RunEvent } from '@donecheck/core/events'
import { buildReceipt } from './build-receipt.ts'
import { differences } from './differences.ts'
import type { Receipt } from './receipt.ts'
import { differs, matches, notChecked, type ReceiptLine } from './receipt-line.ts'
import { messageOf, given } from '../../base/index.ts'

/** Known to whoever wrote the receipt, and told by no event. */
const reported = ['predicate.versions.receipt', 'predicate.versions.node']

/** Compared by `chain.ts` and `check-itself.ts`. */
const elsewhere = [
  ...['algorithm', 'head', 'length'].map((key) => `predicate.chain.${key}`),
  'predicate.digest',
]
const checkpoints = 'predicate.chain.checkpoints'

/** @param raw the receipt as it was brought */
export function checkEvents(
  receipt: Receipt,
  raw: object,
  events: readonly RunEvent[],
): readonly ReceiptLine[] {
  const rebuilt = rebuild(receipt, events.slice(0, receipt.predicate.chain.length))
  if (typeof rebuilt === 'string') return [differs('events', 'a whole run', undefined, rebuilt)]
  const isSameChain = rebuilt.predicate.chain.head === receipt.predicate.chain.head
  // Every later link differs too: it would say nothing.
  const left = isSameChain ? elsewhere : [...elsewhere, checkpoints]
  const found = differences(rebuilt, raw, '')
    .map(({ path, ...values }) => ({ path: path.slice(1), ...values }))
    .filter(({ path }) => !left.some((place) => isWithin(path, place)))
  const lines = found.map(({ path, expected, found: inReceipt }) =>
    differs(path, expected, inReceipt, whyOf(path, receipt)),
  )
  const places = isSameChain ? [...placesOf(receipt), checkpoints] : placesOf(receipt)
  const intact = places.filter((place) => !found.some(({ path }) => isWithin(path, place)))
  return [
    ...lines,
    ...intact.map((place) => matches(place, undefined, whyOf(place, receipt))),
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

function placesOf({ predicate }: Receipt): readonly string[] {
  return [
    '_type',
    'subject',
    'predicateType',
    ...['runId', 'taskDigest', 'end', 'policy'].map((key) => `predicate.${key}`),
    ...predicate.checks.map((_, index) => `predicate.checks.${index}`),
    ...['findings', 'authority', 'heldOut', 'evidence', 'times'].map((key) => `predicate.${key}`),
    ...['donecheck', 'eventSchema'].map((key) => `predicate.versions.${key}`),
  ]
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`)
}

function whyOf(path: string, { predicate }: Receipt): string {
  const index = /^predicate\.checks\.(\d+)/.exec(path)?.[1]
  const check = index === undefined ? undefined : predicate.checks[Number(index)]
  if (check === undefined) return 'read from the events again'
  const event = check.verdict === null ? '' : `, event ${check.verdict.sequence}`
  return `check ${check.name}${event}, read from the events again`
}
