import type { RunEvent } from '@donecheck/core/internal/events'
import { checksOnly } from '@donecheck/core/internal/events/settings'
import type {
  AppendResult,
  EventLog,
  ExpectedSequence,
  HostSession,
  Lease,
  ReadableEvents,
  RecordKeeping,
  RunPage,
  RunPages,
  RunQuery,
  StoreChanges,
} from '../../../ports/store.ts'
import type { LeaseRecord } from '../rules/names.ts'
import {
  assertInOrder,
  assertLeft,
  assertLimit,
  isBatch,
  isInText,
  latestFirst,
  pageOf,
  refusal,
  startOf,
  summarise,
} from '../rules/records.ts'
import { type Door, type Row, rowOf } from './door.ts'
import { type RunTable, summaryOfRow } from './runs.ts'

interface Beside {
  readonly runs: RunTable
  readonly leaseRecord: (name: string) => LeaseRecord | undefined
  readonly keepHostSession: (session: HostSession) => void
}

export const eventRow = { sequence: 'number', json: 'text' } as const

export function sqliteEventLog(door: Door, beside: Beside): EventLog & RecordKeeping {
  const { runs } = beside
  return {
    ...appendingTo(door, beside),
    ...readingOf(door, runs),
    list: () => door.attempt(() => [...runs.summaries()].sort(latestFirst)),
  }
}

function appendingTo(
  { database, attempt, transactions }: Door,
  { runs, leaseRecord, keepHostSession }: Beside,
): Pick<EventLog & RecordKeeping, 'append' | 'takeIn'> {
  const insert = database.prepare(
    'INSERT INTO events (run_id, sequence, time_ms, type, json) VALUES (?, ?, ?, ?, ?)',
  )

  function append(
    expected: ExpectedSequence,
    events: readonly RunEvent[],
    lease: Lease | null,
    session: HostSession | undefined,
    isImported = false,
  ): AppendResult {
    if (!isBatch(events)) return { kind: 'appended' }
    assertInOrder(expected, events)
    const texts = events.map((event) => JSON.stringify(event))
    return transactions.write(() => {
      const before = runs.summaryOf(events[0].runId)
      const status = {
        sequence: before?.events ?? 0,
        leaseRecord: lease === null ? undefined : leaseRecord(lease.name),
      }
      const refused = refusal(status, expected, lease)
      if (refused !== undefined) return refused
      const summary = summarise(before, events)
      runs.keep(isImported ? { ...summary, imported: true } : summary)
      for (const [index, { runId, sequence, timeMs, type }] of events.entries())
        insert.run(runId, sequence, timeMs, type, texts[index] ?? '')
      if (session !== undefined) keepHostSession(session)
      return { kind: 'appended' }
    })
  }

  return {
    append: (expected, events, lease, session) => attempt(() => append(expected, events, lease, session)),
    takeIn: (events) => attempt(() => append(0, events, null, undefined, true)),
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
      AND ($withChecksOnly OR agent IS NOT $checksOnly)
      AND ($tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = $tag))
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
      $tag: query.tag ?? null,
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
