import type { RunEvent } from '@donecheck/core/events'
import type { EventLog, ReadableEvents, RecordKeeping } from '../../../ports/store.ts'
import { assertLeft } from '../rules/append-rules.ts'
import { appendingTo, type EventTable } from '../rules/appending.ts'
import { latestFirst, summarise } from '../rules/summary.ts'
import { rowOf, type Row } from './database/row.ts'
import type { RunTable } from './tables/runs.ts'
import type { Door } from './database/transactions.ts'

interface Beside extends Pick<EventTable, 'leaseRecord' | 'keepHostSession'> {
  readonly runs: RunTable
}

export const eventRow = { sequence: 'number', json: 'text' } as const

export function sqliteEventLog(door: Door, { runs, ...beside }: Beside): EventLog & RecordKeeping {
  const { database, transactions, attempt } = door
  const insertEvent = database.prepare(
    'INSERT INTO events (run_id, sequence, time_ms, type, json) VALUES (?, ?, ?, ?, ?)',
  )
  const table: EventTable = {
    ...beside,
    summaryOf: runs.summaryOf,
    keepSummary: runs.keep,
    count: runs.count,
    insert(events, texts) {
      for (const [index, { runId, sequence, timeMs, type }] of events.entries())
        insertEvent.run(runId, sequence, timeMs, type, texts[index] ?? '')
    },
  }
  return {
    ...appendingTo(table, attempt, transactions.write),
    ...readingOf(door, runs),
    list: () => attempt(() => [...runs.summaries()].sort(latestFirst)),
  }
}

/** What was recorded, and what is put aside of it where it cannot be read. */
function readingOf(
  { database, transactions, attempt }: Door,
  runs: RunTable,
): Pick<EventLog & RecordKeeping, 'read' | 'readAsFar' | 'cutOff'> {
  const selectEvents = database.prepare(
    'SELECT sequence, json FROM events WHERE run_id = ? ORDER BY sequence',
  )
  const deleteEvents = database.prepare('DELETE FROM events WHERE run_id = ? AND sequence >= ?')
  const deleteRow = database.prepare('DELETE FROM run_rows WHERE run_id = ?')

  /** Whoever appends alone needs no schema of all events: it is loaded with the first event that is read. */
  async function readAsFar(runId: string): Promise<ReadableEvents> {
    const texts = await attempt(() => transactions.read(() => textsOf(runId)))
    const { readableEvents } = await import('../texts/event-text.ts')
    return readableEvents(runId, texts)
  }

  async function read(runId: string): Promise<readonly RunEvent[]> {
    const readable = await readAsFar(runId)
    const { wholeOf } = await import('../texts/event-text.ts')
    return wholeOf(readable)
  }

  async function cutOff(
    runId: string,
    sequence: number,
    keep: (texts: readonly string[]) => void,
  ): Promise<void> {
    const { readableEvents } = await import('../texts/event-text.ts')
    const truncateRun = () => {
      const texts = textsOf(runId)
      const left = readableEvents(runId, texts.slice(0, sequence - 1)).events
      assertLeft(left)
      keep(texts.slice(sequence - 1).flatMap((text) => text ?? []))
      deleteEvents.run(runId, sequence)
      deleteRow.run(runId)
      runs.keep(summarise(undefined, left))
    }
    await attempt(() => transactions.write(truncateRun))
  }

  /** A stream with a hole or without its end would forget what was used up: what is missing is told, as what is unreadable. */
  function textsOf(runId: string): readonly (string | undefined)[] {
    const rows = selectEvents.all(runId).map((row) => rowOf(eventRow, row))
    const length = Math.max(rows.at(-1)?.sequence ?? 0, runs.summaryOf(runId)?.events ?? 0)
    return inTheirPlaces(rows, 0, length)
  }

  return { read, readAsFar, cutOff }
}

/** @param length so many after that sequence number; undefined: it is missing */
export function inTheirPlaces(
  rows: readonly Row<typeof eventRow>[],
  after: number,
  length: number,
): readonly (string | undefined)[] {
  const known = new Map(rows.map(({ sequence, json }) => [sequence, json]))
  return Array.from({ length: Math.max(length, 0) }, (_, index) => known.get(after + index + 1))
}
