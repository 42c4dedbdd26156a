import type { RunEvent } from '@donecheck/core/internal/events'
import { checksOnly } from '@donecheck/core/internal/events/settings'
import type {
  EventLog,
  ReadableEvents,
  RecordKeeping,
  RunPage,
  RunPages,
  RunQuery,
  StoreChanges,
} from '../../../ports/store.ts'
import {
  appendingTo,
  assertLeft,
  assertLimit,
  type EventTable,
  isInText,
  latestFirst,
  pageOf,
  startOf,
  summarise,
} from '../rules/records.ts'
import { type Door, type Row, rowOf } from './door.ts'
import { type RunTable, summaryOfRow } from './runs.ts'

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

function readingOf(
  { database, transactions, attempt }: Door,
  runs: RunTable,
): Pick<EventLog & RecordKeeping, 'read' | 'readAsFar' | 'cutOff'> {
  const selectEvents = database.prepare(
    'SELECT sequence, json FROM events WHERE run_id = ? ORDER BY sequence',
  )
  const deleteEvents = database.prepare('DELETE FROM events WHERE run_id = ? AND sequence >= ?')
  const deleteRow = database.prepare('DELETE FROM run_rows WHERE run_id = ?')

  /** Loads the event schema on the first read, so appending does not need it. */
  async function readAsFar(runId: string): Promise<ReadableEvents> {
    const texts = await attempt(() => transactions.read(() => textsOf(runId)))
    const { readableEvents } = await import('../event-text.ts')
    return readableEvents(runId, texts)
  }

  async function read(runId: string): Promise<readonly RunEvent[]> {
    const readable = await readAsFar(runId)
    const { wholeOf } = await import('../event-text.ts')
    return wholeOf(readable)
  }

  async function cutOff(
    runId: string,
    sequence: number,
    keep: (texts: readonly string[]) => void,
  ): Promise<void> {
    const { readableEvents } = await import('../event-text.ts')
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

  /** Reports missing events as unreadable: forgetting them would forget spending. */
  function textsOf(runId: string): readonly (string | undefined)[] {
    const rows = selectEvents.all(runId).map((row) => rowOf(eventRow, row))
    const length = Math.max(rows.at(-1)?.sequence ?? 0, runs.summaryOf(runId)?.events ?? 0)
    return inTheirPlaces(rows, 0, length)
  }

  return { read, readAsFar, cutOff }
}

/** @param length number of events after that sequence; missing ones are undefined */
export function inTheirPlaces(
  rows: readonly Row<typeof eventRow>[],
  after: number,
  length: number,
): readonly (string | undefined)[] {
  const known = new Map(rows.map(({ sequence, json }) => [sequence, json]))
  return Array.from({ length: Math.max(length, 0) }, (_, index) => known.get(after + index + 1))
}

const changedRow = { run_id: 'text', changed: 'number' } as const
const latestRow = { latest: 'number' } as const

export function sqliteRunPages(door: Door, runs: RunTable): RunPages {
  return {
    readAfter: sqliteReadAfter(door, runs),
    listPage: sqliteListPage(door, runs),
    summary: (runId) => door.attempt(() => runs.summaryOf(runId)),
    changes: sqliteChanges(door),
  }
}

function sqliteReadAfter({ database, transactions, attempt }: Door, runs: RunTable): RunPages['readAfter'] {
  const select = database.prepare(
    'SELECT sequence, json FROM events WHERE run_id = ? AND sequence > ? ORDER BY sequence LIMIT ?',
  )

  function textsAfter(runId: string, sequence: number, limit: number): readonly (string | undefined)[] {
    const rows = select.all(runId, sequence, limit).map((row) => rowOf(eventRow, row))
    const recorded = rows.length === limit ? 0 : (runs.summaryOf(runId)?.events ?? 0)
    const last = Math.max(rows.at(-1)?.sequence ?? 0, recorded)
    return inTheirPlaces(rows, sequence, Math.min(last - sequence, limit))
  }

  return async (runId, sequence, limit) => {
    const texts = await attempt(() => transactions.read(() => textsAfter(runId, sequence, limit)))
    if (texts.length === 0) return []
    const { begunOf, readableEvents } = await import('../event-text.ts')
    return begunOf(readableEvents(runId, texts, sequence))
  }
}

function sqliteListPage({ database, attempt }: Door, runs: RunTable): RunPages['listPage'] {
  database.function('is_in_text', { deterministic: true }, (text, part) =>
    Number(isInText(String(text), String(part))),
  )
  const selectPage = database.prepare(`
    SELECT * FROM runs WHERE (started_at_ms, run_id) < ($startedAtMs, $runId)
      AND ($outcome IS NULL OR outcome = $outcome) AND ($reason IS NULL OR reason = $reason)
      AND ($isOpen IS NULL OR (outcome IS NULL) = $isOpen)
      AND ($withChecksOnly OR drive IS NOT $checksOnly)
      AND ($label IS NULL OR EXISTS (SELECT 1 FROM json_each(labels) WHERE value = $label))
      AND ($text IS NULL OR is_in_text(task, $text))
    ORDER BY started_at_ms DESC, run_id DESC LIMIT $rows
  `)

  function pageFor(query: RunQuery): RunPage {
    assertLimit(query.limit)
    const last = startOf(query, (runId) => runs.summaryOf(runId))
    const rows = selectPage.all({
      $startedAtMs: last?.startedAtMs ?? Number.MAX_VALUE,
      $runId: last?.runId ?? '',
      $outcome: query.outcome ?? null,
      $reason: query.reason ?? null,
      $isOpen: query.isOpen === undefined ? null : Number(query.isOpen),
      $withChecksOnly: Number(query.withChecksOnly ?? false),
      $checksOnly: checksOnly,
      $label: query.label ?? null,
      $text: query.text ?? null,
      $rows: query.limit + 1,
    })
    return pageOf(rows.map(summaryOfRow), query.limit)
  }

  return (query) => attempt(() => pageFor(query))
}

function sqliteChanges({ database, attempt }: Door): RunPages['changes'] {
  const selectChanged = database.prepare(
    'SELECT run_id, changed FROM runs WHERE changed > ? ORDER BY changed',
  )
  const selectLatest = database.prepare('SELECT coalesce(max(changed), 0) AS latest FROM runs')

  function changedSince(after: number): StoreChanges {
    const changed = selectChanged.all(after).map((row) => rowOf(changedRow, row))
    return { latest: changed.at(-1)?.changed ?? after, runIds: changed.map(({ run_id }) => run_id) }
  }

  return (after) =>
    attempt(() =>
      after === undefined ? { ...rowOf(latestRow, selectLatest.get()), runIds: [] } : changedSince(after),
    )
}
