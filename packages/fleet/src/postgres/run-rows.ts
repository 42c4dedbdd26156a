import { checksOnly } from '@donecheck/core/internal/events/settings'
import {
  assertLimit,
  begunOf,
  eventRow,
  inTheirPlaces,
  knownRows,
  pageOf,
  readableEvents,
  startOf,
  summaryOfRow,
  assertVerdict,
  digestOfEntry,
  maxRemembered,
  verdictOfRow,
  verdictText,
  keptSessionOf,
  sessionEntryOf,
} from '@donecheck/engine/internal/system/store/parts'
import { rowOf } from '@donecheck/engine/store'
import type {
  RunPages,
  RunQuery,
  RunRows,
  RunSummary,
  RememberedVerdicts,
  HostSession,
  HostSessions,
} from '@donecheck/engine/internal/ports/store'
import type { Database, Rows } from './connection.ts'

const runColumns =
  'run_id, events, started_at_ms, updated_at_ms, reason, outcome, work_folder, task, imported, cap, detector, tags, agent'

export function rowOfSummary(summary: RunSummary, isImported: boolean): Readonly<Record<string, unknown>> {
  return {
    events: summary.events,
    started_at_ms: summary.startedAtMs,
    updated_at_ms: summary.updatedAtMs,
    reason: summary.reason ?? null,
    outcome: summary.outcome ?? null,
    work_folder: summary.workFolder,
    task: summary.task,
    task_folded: summary.task.toLowerCase(),
    imported: Number(isImported),
    cap: summary.cap ?? null,
    detector: summary.detector ?? null,
    tags: JSON.stringify(summary.tags),
    agent: summary.agent ?? null,
  }
}

export async function summariesIn(rows: Rows): Promise<readonly RunSummary[]> {
  const sql = `SELECT ${runColumns} FROM donecheck.runs ORDER BY updated_at_ms DESC, run_id DESC`
  return (await rows(sql)).map(summaryOfRow)
}

export async function summaryIn(rows: Rows, runId: string): Promise<RunSummary | undefined> {
  const [row] = await rows(`SELECT ${runColumns} FROM donecheck.runs WHERE run_id = $1`, [runId])
  return row === undefined ? undefined : summaryOfRow(row)
}

/** A consistent snapshot; reports missing and unreadable texts. @param limit maximum number of texts */
export async function textsIn(
  rows: Rows,
  runId: string,
  after = 0,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<readonly (string | undefined)[]> {
  const found = await rows(
    `SELECT sequence, json, recorded FROM (SELECT events AS recorded FROM donecheck.runs WHERE run_id = $1) AS run
     LEFT JOIN (SELECT sequence, json FROM donecheck.events WHERE run_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3)
       AS event ON true ORDER BY sequence`,
    [runId, after, limit],
  )
  const events = found.filter(({ sequence }) => sequence !== null).map((row) => rowOf(eventRow, row))
  const recorded = found.length === 0 ? 0 : rowOf(recordedRow, found[0]).recorded
  const latest = events.length === limit ? 0 : recorded
  return inTheirPlaces(events, after, Math.min(Math.max(events.at(-1)?.sequence ?? 0, latest) - after, limit))
}

const recordedRow = { recorded: 'number' } as const

export function postgresRunPages({ rows }: Database): RunPages {
  return {
    async readAfter(runId, sequence, limit) {
      const texts = await textsIn(rows, runId, sequence, limit)
      return texts.length === 0 ? [] : begunOf(readableEvents(runId, texts, sequence))
    },
    async listPage(query) {
      assertLimit(query.limit)
      const { cursor } = query
      const known = cursor === undefined ? undefined : await summaryIn(rows, cursor)
      const found = await rows(
        pageSql,
        valuesOf(
          query,
          startOf(query, () => known),
        ),
      )
      return pageOf(found.map(summaryOfRow), query.limit)
    },
    summary: (runId) => summaryIn(rows, runId),
    changes: (after) => changesIn(rows, after),
  }
}

const pageSql = `
  SELECT ${runColumns} FROM donecheck.runs WHERE (started_at_ms, run_id) < ($1::float8, $2::text)
    AND ($3::text IS NULL OR outcome = $3) AND ($4::text IS NULL OR reason = $4)
    AND ($5::boolean IS NULL OR (outcome IS NULL) = $5) AND ($6::text IS NULL OR agent IS DISTINCT FROM $6)
    AND ($7::text IS NULL OR EXISTS (SELECT FROM json_array_elements_text(tags::json) AS tag WHERE tag = $7))
    AND ($8::text IS NULL OR strpos(task_folded, $8) > 0)
  ORDER BY started_at_ms DESC, run_id DESC LIMIT $9
`

function valuesOf(query: RunQuery, last: RunSummary | undefined): readonly unknown[] {
  return [
    last?.startedAtMs ?? Number.MAX_VALUE,
    last?.runId ?? '',
    query.outcome ?? null,
    query.reason ?? null,
    query.isOpen ?? null,
    query.withChecksOnly === true ? null : checksOnly,
    query.tag ?? null,
    query.text?.toLowerCase() ?? null,
    query.limit + 1,
  ]
}

const changedRow = { run_id: 'text', changed: 'number', settled: 'number' } as const
const latestRow = { changed: 'number', settled: 'number' } as const

/** Transactions below it have ended, so all their changes are visible. */
const settled = 'pg_snapshot_xmin(pg_current_snapshot())::text::float8 AS settled'

/** Marks are transaction ids. A mark stays below the oldest open one: changes may repeat, none is missed. */
async function changesIn(rows: Rows, after: number | undefined): ReturnType<RunPages['changes']> {
  if (after === undefined) {
    const [row] = await rows(
      `SELECT coalesce(max(changed), 0)::float8 AS changed, ${settled} FROM donecheck.runs`,
    )
    const latest = rowOf(latestRow, row)
    return { latest: Math.min(latest.changed, latest.settled - 1), runIds: [] }
  }
  const found = await rows(
    `SELECT run_id, changed::float8 AS changed, ${settled} FROM donecheck.runs WHERE runs.changed > $1 ORDER BY runs.changed`,
    [after],
  )
  const newer = found.map((row) => rowOf(changedRow, row))
  const last = newer.at(-1)
  const latest = last === undefined ? after : Math.max(after, Math.min(last.changed, last.settled - 1))
  return { latest, runIds: newer.map(({ run_id }) => run_id) }
}

export function postgresRunRows({ rows }: Database): RunRows {
  return {
    runRows: async (sinceMs, runIds) =>
      knownRows(
        await rows(
          `SELECT runs.run_id, imported, runs.events, text FROM donecheck.runs
           LEFT JOIN donecheck.run_rows ON run_rows.run_id = runs.run_id AND run_rows.events = runs.events
           WHERE started_at_ms >= $1 AND ($2::text[] IS NULL OR runs.run_id = ANY ($2)) ORDER BY runs.run_id`,
          [sinceMs, runIds ?? null],
        ),
      ),
    async keepRunRows(kept) {
      await rows(
        `INSERT INTO donecheck.run_rows (run_id, events, text) SELECT * FROM unnest($1::text[], $2::integer[], $3::text[])
         ON CONFLICT (tenant, run_id) DO UPDATE SET events = excluded.events, text = excluded.text`,
        [kept.map(({ runId }) => runId), kept.map(({ events }) => events), kept.map(({ text }) => text)],
      )
    },
  }
}

export function postgresRememberedVerdicts({ rows }: Database): RememberedVerdicts {
  return {
    async remember(key, verdict) {
      assertVerdict(verdict)
      const [keyText, json] = [JSON.stringify(key), verdictText(verdict)]
      await rows(
        `INSERT INTO donecheck.remembered_verdicts (key, json, digest) VALUES ($1, $2, $3)
         ON CONFLICT (tenant, key) DO UPDATE SET id = DEFAULT, json = excluded.json, digest = excluded.digest`,
        [keyText, json, digestOfEntry(keyText, json)],
      )
      await rows(
        `DELETE FROM donecheck.remembered_verdicts
         WHERE id <= (SELECT id FROM donecheck.remembered_verdicts ORDER BY id DESC OFFSET $1 LIMIT 1)`,
        [maxRemembered],
      )
    },
    async recall(key) {
      const keyText = JSON.stringify(key)
      const [row] = await rows('SELECT json, digest FROM donecheck.remembered_verdicts WHERE key = $1', [
        keyText,
      ])
      return verdictOfRow(keyText, row)
    },
  }
}

export function rowOfSession(session: HostSession): Readonly<Record<string, unknown>> {
  const { key, runId, sequence, updatedAtMs, snapshot } = session
  return { key: JSON.stringify(key), run_id: runId, sequence, updated_at_ms: updatedAtMs, snapshot }
}

/** @param rows a query that yields the sessions to keep */
export const keepingSessions = (rows: string) => `
  INSERT INTO donecheck.host_sessions (key, run_id, sequence, updated_at_ms, snapshot) ${rows}
  ON CONFLICT (tenant, key) DO UPDATE SET run_id = excluded.run_id, sequence = excluded.sequence,
    updated_at_ms = excluded.updated_at_ms, snapshot = excluded.snapshot`

export function postgresHostSessions({ rows }: Database): HostSessions {
  return {
    async hostSession(key) {
      const [row] = await rows(
        `SELECT key, run_id, sequence, updated_at_ms, snapshot,
           (SELECT events FROM donecheck.runs WHERE runs.run_id = host_sessions.run_id) AS latest
         FROM donecheck.host_sessions WHERE key = $1`,
        [JSON.stringify(key)],
      )
      return keptSessionOf(row)
    },
    async hostSessions() {
      const sql =
        'SELECT key, run_id, sequence, updated_at_ms FROM donecheck.host_sessions ORDER BY updated_at_ms DESC, key'
      return (await rows(sql)).flatMap((row) => sessionEntryOf(row) ?? [])
    },
    async keepHostSession(session) {
      // Locks the run's row, so that nothing is appended between check and write.
      const kept = await rows(
        `WITH run AS (SELECT run_id FROM donecheck.runs WHERE run_id = $2 AND events = $3 FOR SHARE)
         ${keepingSessions('SELECT $1, run_id, $3, $4, $5 FROM run')} RETURNING key`,
        [JSON.stringify(session.key), session.runId, session.sequence, session.updatedAtMs, session.snapshot],
      )
      return kept.length > 0
    },
  }
}
