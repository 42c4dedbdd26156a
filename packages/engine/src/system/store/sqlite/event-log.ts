import type {
  AppendResult,
  ExpectedSequence,
  EventLog,
  HostSession,
  Lease,
  RecordKeeping,
} from '../../../ports/store.ts'
import type { RunEvent } from '@donecheck/core/events'
import { assertInOrder, isBatch, refusal, type Batch } from '../rules/append-rules.ts'
import type { LeaseRecord } from '../rules/lease-rules.ts'
import { isOnlyCounted, latestFirst, summarise } from '../rules/summary.ts'
import { sqliteReading } from './reading.ts'
import type { RunTable } from './tables/runs.ts'
import type { Door } from './database/transactions.ts'

interface Beside {
  readonly runs: RunTable
  /** What is known of a lease's name; asked inside the transaction. */
  readonly leaseRecord: (name: string) => LeaseRecord | undefined
  readonly keepHostSession: (session: HostSession) => void
}

export function sqliteEventLog(
  door: Door,
  { runs, leaseRecord, keepHostSession }: Beside,
): EventLog & RecordKeeping {
  const { database, transactions, attempt } = door
  const insertEvent = database.prepare(
    'INSERT INTO events (run_id, sequence, time_ms, type, json) VALUES (?, ?, ?, ?, ?)',
  )

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
    return transactions.write(() => {
      const isCounted = isOnlyCounted(events) && runs.count(expected, latest, lease)
      const refused = isCounted ? undefined : writeSummary(expected, events, lease, isImported)
      if (refused !== undefined) return refused
      for (const [index, { runId, sequence, timeMs, type }] of events.entries())
        insertEvent.run(runId, sequence, timeMs, type, texts[index] ?? '')
      if (beside !== undefined) keepHostSession(beside)
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
    const before = runs.summaryOf(events[0].runId)
    const status = {
      sequence: before?.events ?? 0,
      leaseRecord: lease === null ? undefined : leaseRecord(lease.name),
    }
    const refused = refusal(status, expected, lease)
    if (refused !== undefined) return refused
    const summary = summarise(before, events)
    runs.keep(isImported ? { ...summary, imported: true } : summary)
    return undefined
  }

  return {
    append: (expected, events, lease, beside) => attempt(() => append(expected, events, lease, beside)),
    takeIn: (events) => attempt(() => append(0, events, null, undefined, true)),
    ...sqliteReading(door, runs),
    list: () => attempt(() => [...runs.summaries()].sort(latestFirst)),
  }
}
