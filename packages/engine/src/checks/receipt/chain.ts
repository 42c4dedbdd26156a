/**
 * One digest over all events, in order: h(0) is the SHA-256 of the algorithm's name, h(n) that of h(n - 1) as hex followed by
 * the canonical JSON of event n. No event can be changed, left out, added or moved without another head.
 */
import { createHash } from 'node:crypto'
import type { RunEvent } from '@donecheck/core/events'
import { canonicalJson } from '@donecheck/core/base'
import type { ReceiptChain } from './receipt.ts'

export const chainAlgorithm = 'donecheck-chain-v1'

const maxCheckpoints = 64

/** SHA-256, hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

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
