/** How a batch of events is appended, the same in every store over its own table of events. */
import type {
  AppendResult,
  EventLog,
  ExpectedSequence,
  HostSession,
  Lease,
  RecordKeeping,
  RunSummary,
} from '../../../ports/store.ts'
import type { RunEvent } from '@donecheck/core/events'
import { assertInOrder, isBatch, refusal, type Batch } from './append-rules.ts'
import type { LeaseRecord } from './lease-rules.ts'
import { isOnlyCounted, summarise } from './summary.ts'
import type { Atomically, Attempt } from './table-methods.ts'

export interface EventTable {
  readonly summaryOf: (runId: string) => RunSummary | undefined
  readonly keepSummary: (summary: RunSummary) => void
  /** Where that is quicker than `keepSummary`: false, and nothing is changed, unless the events may be written. */
  readonly count: (expected: ExpectedSequence, latest: RunEvent, lease: Lease | null) => boolean
  readonly insert: (events: Batch, texts: readonly string[]) => void
  /** What is known of a lease's name. */
  readonly leaseRecord: (name: string) => LeaseRecord | undefined
  readonly keepHostSession: (session: HostSession) => void
}

export function appendingTo(
  table: EventTable,
  attempt: Attempt,
  atomically: Atomically,
): Pick<EventLog & RecordKeeping, 'append' | 'takeIn'> {
  function append(
    expected: ExpectedSequence,
    events: readonly RunEvent[],
    lease: Lease | null,
    beside: HostSession | undefined,
    isImported = false,
  ): AppendResult {
    if (!isBatch(events)) return { kind: 'appended' }
    assertInOrder(expected, events)
    const texts = events.map((event) => JSON.stringify(event))
    const latest = events.at(-1) ?? events[0]
    return atomically(() => {
      const isCounted = isOnlyCounted(events) && table.count(expected, latest, lease)
      const refused = isCounted ? undefined : writeSummary(expected, events, lease, isImported)
      if (refused !== undefined) return refused
      table.insert(events, texts)
      if (beside !== undefined) table.keepHostSession(beside)
      return { kind: 'appended' }
    })
  }

  /** Writes what the run is after the batch; where the batch may not be written, why. */
  function writeSummary(
    expected: ExpectedSequence,
    events: Batch,
    lease: Lease | null,
    isImported: boolean,
  ): AppendResult | undefined {
    const before = table.summaryOf(events[0].runId)
    const status = {
      sequence: before?.events ?? 0,
      leaseRecord: lease === null ? undefined : table.leaseRecord(lease.name),
    }
    const refused = refusal(status, expected, lease)
    if (refused !== undefined) return refused
    const summary = summarise(before, events)
    table.keepSummary(isImported ? { ...summary, imported: true } : summary)
    return undefined
  }

  return {
    append: (expected, events, lease, beside) => attempt(() => append(expected, events, lease, beside)),
    takeIn: (events) => attempt(() => append(0, events, null, undefined, true)),
  }
}
