import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { CorruptEventError } from '../../errors.ts'
import type { AppendResult, ExpectedSequence, RunEvent, RunSummary } from '../../events/index.ts'
import type { EventLog, Lease } from '../../ports.ts'
import { assertInOrder, isBatch, refusal } from '../append-rules.ts'
import type { Attempt } from '../attempt.ts'
import { eventText, storedEvent } from '../event-text.ts'
import type { LeaseRecord } from '../lease-rules.ts'
import { latestFirst, summarise } from '../summary.ts'
import { runTable } from './run-table.ts'
import type { Transactions } from './transactions.ts'

const eventRows = z.array(z.object({ sequence: z.number(), json: z.string() }))

/** @param leaseRecord what is known of a lease's name; asked inside the transaction */
export function sqliteEventLog(
  database: DatabaseSync,
  transactions: Transactions,
  attempt: Attempt,
  leaseRecord: (name: string) => LeaseRecord | undefined,
): EventLog {
  const runs = runTable(database)
  const insertEvent = database.prepare(
    'INSERT INTO events (run_id, sequence, time_ms, type, json) VALUES (?, ?, ?, ?, ?)',
  )
  const selectEvents = database.prepare(
    'SELECT sequence, json FROM events WHERE run_id = ? ORDER BY sequence',
  )

  function append(
    expected: ExpectedSequence,
    events: readonly RunEvent[],
    lease: Lease | null,
  ): AppendResult {
    if (!isBatch(events)) return { kind: 'appended' }
    assertInOrder(expected, events)
    const texts = events.map(eventText)
    return transactions.write(() => {
      const before = runs.summaryOf(events[0].runId)
      const standing = {
        sequence: before?.events ?? 0,
        leaseRecord: lease === null ? undefined : leaseRecord(lease.name),
      }
      const refused = refusal(standing, expected, lease)
      if (refused !== undefined) return refused
      runs.keep(summarise(before, events))
      for (const [index, { runId, sequence, timeMs, type }] of events.entries())
        insertEvent.run(runId, sequence, timeMs, type, texts[index] ?? '')
      return { kind: 'appended' }
    })
  }

  function read(runId: string): readonly RunEvent[] {
    const { rows, summary } = transactions.read(() => ({
      rows: eventRows.parse(selectEvents.all(runId)),
      summary: runs.summaryOf(runId),
    }))
    return whole(runId, rows, summary).map(({ sequence, json }) => storedEvent(runId, sequence, json))
  }

  return {
    append: (expected, events, lease) => attempt(() => append(expected, events, lease)),
    read: (runId) => attempt(() => read(runId)),
    list: () => attempt(() => [...runs.summaries()].sort(latestFirst)),
  }
}

/** A stream with a hole or without its end would forget what was used up: it is refused like an unreadable event. */
function whole(
  runId: string,
  rows: z.infer<typeof eventRows>,
  summary: RunSummary | undefined,
): z.infer<typeof eventRows> {
  const expected = Math.max(rows.length, summary?.events ?? 0)
  for (let sequence = 1; sequence <= expected; sequence++) {
    if (rows[sequence - 1]?.sequence !== sequence)
      throw new CorruptEventError(runId, sequence, 'it is missing from the store')
  }
  return rows
}
