import type { DatabaseSync } from 'node:sqlite'
import type { KeptRunRow, KnownRunRows, RunRows, RunSummary } from '../../../ports/store.ts'
import { type Door, rowOf } from './door.ts'

const runRow = {
  run_id: 'text',
  events: 'number',
  started_at_ms: 'number',
  updated_at_ms: 'number',
  reason: 'text or null',
  outcome: 'text or null',
  work_folder: 'text or null',
  task: 'text',
  imported: 'number',
  cap: 'text or null',
  detector: 'text or null',
  tags: 'text',
  agent: 'text or null',
} as const

export interface RunTable {
  readonly summaryOf: (runId: string) => RunSummary | undefined
  readonly summaries: () => readonly RunSummary[]
  readonly keep: (summary: RunSummary) => void
}

/** One row per run, written with every append. The origin is written once, first. */
export function runTable(database: DatabaseSync): RunTable {
  const selectRun = database.prepare('SELECT * FROM runs WHERE run_id = ?')
  const selectRuns = database.prepare('SELECT * FROM runs')
  const upsertRun = database.prepare(`
    INSERT INTO runs (run_id, events, started_at_ms, updated_at_ms, reason, outcome, work_folder, task, imported,
      cap, detector, tags, agent)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (run_id) DO UPDATE SET
      events = excluded.events, updated_at_ms = excluded.updated_at_ms, reason = excluded.reason,
      outcome = excluded.outcome, work_folder = excluded.work_folder, task = excluded.task,
      cap = excluded.cap, detector = excluded.detector, tags = excluded.tags, agent = excluded.agent
  `)
  return {
    summaryOf(runId) {
      const row = selectRun.get(runId)
      return row === undefined ? undefined : summaryOfRow(row)
    },
    summaries: () => selectRuns.all().map(summaryOfRow),
    keep({ runId, events, startedAtMs, updatedAtMs, reason, outcome, workFolder, task, imported, ...end }) {
      upsertRun.run(
        runId,
        events,
        startedAtMs,
        updatedAtMs,
        reason ?? null,
        outcome ?? null,
        workFolder,
        task,
        imported === true ? 1 : 0,
        end.cap ?? null,
        end.detector ?? null,
        JSON.stringify(end.tags),
        end.agent ?? null,
      )
    },
  }
}

export function summaryOfRow(row: unknown): RunSummary {
  const run = rowOf(runRow, row)
  return {
    runId: run.run_id,
    startedAtMs: run.started_at_ms,
    updatedAtMs: run.updated_at_ms,
    events: run.events,
    task: run.task,
    workFolder: run.work_folder,
    agent: run.agent ?? undefined,
    reason: run.reason ?? undefined,
    outcome: run.outcome ?? undefined,
    cap: run.cap ?? undefined,
    detector: run.detector ?? undefined,
    tags: run.tags === '[]' ? [] : parseTags(JSON.parse(run.tags)),
    ...(run.imported === 1 ? { imported: true } : {}),
  }
}

function parseTags(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((tag) => typeof tag === 'string')) return value
  throw new TypeError('the tags of a run are not a list of strings')
}

const distilledRow = { run_id: 'text', imported: 'number', events: 'number', text: 'text or null' } as const

/** One row per distilled run, deleted when its events are cut off. */
export function sqliteRunRows({ database, attempt, attemptWrite }: Door): RunRows {
  const selecting = (which: string) =>
    database.prepare(`
      SELECT runs.run_id, imported, runs.events, text FROM runs
      LEFT JOIN run_rows ON run_rows.run_id = runs.run_id AND run_rows.events = runs.events
      WHERE started_at_ms >= ? ${which} ORDER BY runs.run_id
    `)
  const select = selecting('')
  const selectSome = selecting('AND runs.run_id IN (SELECT value FROM json_each(?))')
  const upsert = database.prepare(
    'INSERT INTO run_rows (run_id, events, text) VALUES (?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET events = excluded.events, text = excluded.text',
  )
  return {
    runRows: (sinceMs, runIds) =>
      attempt(() =>
        knownRows(
          runIds === undefined ? select.all(sinceMs) : selectSome.all(sinceMs, JSON.stringify(runIds)),
        ),
      ),
    keepRunRows: (rows) =>
      attemptWrite(() => {
        for (const { runId, events, text } of rows) upsert.run(runId, events, text)
      }),
  }
}

/** @param selected ordered by id */
export function knownRows(selected: readonly unknown[]): KnownRunRows {
  const rows: KeptRunRow[] = []
  const missing: string[] = []
  const imported: string[] = []
  for (const one of selected) {
    const row = rowOf(distilledRow, one)
    if (row.imported === 1) imported.push(row.run_id)
    if (row.text === null) missing.push(row.run_id)
    else rows.push({ runId: row.run_id, events: row.events, text: row.text })
  }
  return { rows, missing, imported }
}
