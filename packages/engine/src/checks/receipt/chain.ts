/**
 * One digest over all events, in order: h(0) is the SHA-256 of the algorithm's name, h(n) that of h(n - 1) as hex followed by
 * the canonical JSON of event n. No event can be changed, left out, added or moved without another head.
 */
import type { RunEvent } from '@donecheck/core/events'
import { canonicalJson } from '@donecheck/core/base'
import { sha256 } from '../../base/index.ts'
import type { ReceiptChain } from './receipt.ts'
import { compareLine, differs, type ReceiptLine } from './receipt-line.ts'

export const chainAlgorithm = 'donecheck-chain-v1'

const maxCheckpoints = 64

/** Link n of the chain stands at place n: one more than there are events. */
export function linksOf(events: readonly RunEvent[]): readonly string[] {
  let link = sha256(chainAlgorithm)
  return [link, ...events.map((event) => (link = sha256(link + canonicalJson(event))))]
}

/** The head with checkpoints: every event is one in a short run, every n-th in a long one. */
export function chainOf(events: readonly RunEvent[]): ReceiptChain {
  const links = linksOf(events)
  const step = Math.max(1, Math.ceil(events.length / maxCheckpoints))
  const checkpoints = links.flatMap((link, sequence) =>
    sequence > 0 && sequence % step === 0 ? [{ sequence, link }] : [],
  )
  return { algorithm: chainAlgorithm, head: links.at(-1) ?? '', length: events.length, checkpoints }
}

const place = 'predicate.chain'

/**
 * Its checkpoints are compared with the rest of the receipt, where the head shows that the events are the same.
 * @param events all that the store has of the run
 */
export function checkChain(chain: ReceiptChain, events: readonly RunEvent[]): readonly ReceiptLine[] {
  const links = linksOf(events.slice(0, chain.length))
  return [
    compareLine(
      `${place}.algorithm`,
      chainAlgorithm,
      chain.algorithm,
      'the only one that this donecheck computes',
    ),
    checkLength(chain, events),
    compareLine(`${place}.head`, links[chain.length], chain.head, 'computed over the events'),
    ...(links[chain.length] === chain.head ? [] : firstChanged(chain, links, events.length)),
  ]
}

function checkLength({ length }: ReceiptChain, events: readonly RunEvent[]): ReceiptLine {
  const why =
    events.length > length
      ? 'the run has gone on since: ask for a new receipt'
      : 'the number of events in the store'
  return compareLine(`${place}.length`, events.length, length, why)
}

/** The events between the last link that still holds and the first that does not. */
function firstChanged(
  chain: ReceiptChain,
  links: readonly string[],
  storedEvents: number,
): readonly ReceiptLine[] {
  if (storedEvents < chain.length) {
    const why = 'the store does not have them'
    return [differs(`events ${storedEvents + 1} to ${chain.length}`, undefined, chain.head, why)]
  }
  const marks = [...chain.checkpoints, { sequence: chain.length, link: chain.head }]
  const broken = marks.findIndex(({ sequence, link }) => links[sequence] !== link)
  const mark = marks[broken]
  if (mark === undefined) return []
  const first = (marks[broken - 1]?.sequence ?? 0) + 1
  const last = Math.max(first, mark.sequence)
  const why = 'at least one of them is not the event that was there when the receipt was written'
  return [differs(`events ${first} to ${last}`, links[mark.sequence], mark.link, why)]
}
