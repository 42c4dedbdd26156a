/** When a batch of events may be written: the rules of `EventLog.append`, the same for every store. */
import type { AppendResult, ExpectedSequence, Lease } from '../../../ports/store.ts'
import type { RunEvent } from '@donecheck/core/events'
import { fencedMessage, type LeaseRecord } from './lease-rules.ts'

export type Batch = readonly [RunEvent, ...RunEvent[]]

export function isBatch(events: readonly RunEvent[]): events is Batch {
  return events.length > 0
}

/**
 * @throws {TypeError} when the events are not of one run, do not follow the expected one without a gap, or have no
 * time: a program that does this is wrong
 */
export function assertInOrder(expected: ExpectedSequence, batch: Batch): void {
  const [{ runId }] = batch
  for (const [index, event] of batch.entries()) {
    const name = `event ${event.sequence} of run ${event.runId}`
    const sequence = expected + index + 1
    if (event.runId !== runId) throw new TypeError(`${name} is appended to run ${runId}: append run by run`)
    if (event.sequence !== sequence)
      throw new TypeError(`${name} is appended as number ${sequence}: number events from the expected one on`)
    if (!Number.isFinite(event.timeMs))
      throw new TypeError(`${name} has the time ${event.timeMs}: give milliseconds`)
  }
}

/** What is left of a run that is cut off. @throws {TypeError} where nothing would be left */
export function assertLeft(events: readonly RunEvent[]): asserts events is Batch {
  if (!isBatch(events)) throw new TypeError('a run keeps its first event, or it is none')
}

/** How a stream stands at the moment of writing. */
export interface StoredRun {
  /** Sequence number of its last event; 0 for an unknown run. */
  readonly sequence: number
  /** What is known of the lease's name. */
  readonly leaseRecord: LeaseRecord | undefined
}

/** Undefined when the batch may be written. A writer that was fenced off is told so, even where the stream moved too. */
export function refusal(
  status: StoredRun,
  expected: ExpectedSequence,
  lease: Lease | null,
): AppendResult | undefined {
  const message = lease === null ? undefined : fencedMessage(status.leaseRecord, lease)
  if (message !== undefined) return { kind: 'fenced', message }
  if (status.sequence === expected) return undefined
  return { kind: 'conflict', actualSequence: status.sequence }
}
