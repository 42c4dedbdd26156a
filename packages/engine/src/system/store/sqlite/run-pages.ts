/** Runs a page at a time, what is new of one, and which of them changed: by index, however many there are. */
import { checksOnly } from '@donecheck/core/settings'
import type { RunPage, RunPages, RunQuery, StoreChanges } from '../../../ports/store.ts'
import { assertLimit, isInText, pageOf, startOf } from '../rules/run-query.ts'
import { eventRow, inTheirPlaces } from './event-log.ts'
import { rowOf } from './database/row.ts'
import { summaryOfRow, type RunTable } from './tables/runs.ts'
import type { Door } from './database/transactions.ts'

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
    const { begunOf, readableEvents } = await import('../texts/event-text.ts')
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
