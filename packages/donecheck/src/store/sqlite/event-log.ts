import type { DatabaseSync } from 'node:sqlite'
import { CorruptEventError } from '../../errors.ts'
import type { AppendResult, ExpectedSequence, RunEvent, RunSummary } from '../../events/index.ts'
import type { EventLog, HostSession, Lease } from '../../ports.ts'
import { assertInOrder, isBatch, refusal } from '../append-rules.ts'
import type { Attempt } from '../attempt.ts'
import type { LeaseRecord } from '../lease-rules.ts'
import { latestFirst, summarise } from '../summary.ts'
import { rowOf, type Row } from './row.ts'
import { runTable } from './run-table.ts'
import type { Transactions } from './transactions.ts'

const eventRow = { sequence: 'number', json: 'text' } as const

interface SqliteEventLog extends EventLog {
  /** Of the latest event; 0 for an unknown run. */
  readonly sequenceOf: (runId: string) => number
}

export interface Beside {
  /** What is known of a lease's name; asked inside the transaction. */
  readonly leaseRecord: (name: string) => LeaseRecord | undefined
  readonly keepHostSession: (session: HostSession) => void
}

export function sqliteEventLog(
  database: DatabaseSync,
  transactions: Transactions,
  attempt: Attempt,
  { leaseRecord, keepHostSession }: Beside,
): SqliteEventLog {
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
    beside: HostSession | undefined,
  ): AppendResult {
    if (!isBatch(events)) return { kind: 'appended' }
    assertInOrder(expected, events)
    const texts = events.map((event) => JSON.stringify(event))
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
      if (beside !== undefined) keepHostSession(beside)
      return { kind: 'appended' }
    })
  }

  /** Whoever appends alone needs no schema of all events: it is loaded with the first event that is read. */
  async function read(runId: string): Promise<readonly RunEvent[]> {
    const { rows, summary } = await attempt(() => rowsOf(runId))
    const { storedEvent } = await import('../event-text.ts')
    return whole(runId, rows, summary).map(({ sequence, json }) => storedEvent(runId, sequence, json))
  }

  const rowsOf = (runId: string) =>
    transactions.read(() => ({
      rows: selectEvents.all(runId).map((row) => rowOf(eventRow, row)),
      summary: runs.summaryOf(runId),
    }))

  return {
    sequenceOf: (runId) => runs.summaryOf(runId)?.events ?? 0,
    append: (expected, events, lease, beside) => attempt(() => append(expected, events, lease, beside)),
    read,
    list: () => attempt(() => [...runs.summaries()].sort(latestFirst)),
  }
}

/** A stream with a hole or without its end would forget what was used up: it is refused like an unreadable event. */
function whole(
  runId: string,
  rows: readonly Row<typeof eventRow>[],
  summary: RunSummary | undefined,
): readonly Row<typeof eventRow>[] {
  const expected = Math.max(rows.length, summary?.events ?? 0)
  for (let sequence = 1; sequence <= expected; sequence++) {
    if (rows[sequence - 1]?.sequence !== sequence)
      throw new CorruptEventError(runId, sequence, 'it is missing from the store')
  }
  return rows
}
