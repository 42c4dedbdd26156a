import type { DatabaseSync } from 'node:sqlite'
import type { ExpectedSequence, RunSummary, Lease } from '../../../ports/store.ts'
import type { RunEvent } from '@donecheck/core/events'
import { rowOf } from './row.ts'

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
} as const

export interface RunTable {
  summaryOf(runId: string): RunSummary | undefined
  summaries(): readonly RunSummary[]
  keep(summary: RunSummary): void
  /**
   * Counts events that say nothing else of their run: one statement in place of reading and writing the whole row, where most of the
   * time of an append went that is not the disk's.
   * @returns false, and nothing is changed, unless the run stands where it was expected and the lease, if any, is the current one:
   * `refusal` of the rules tells why
   */
  count(expected: ExpectedSequence, latest: RunEvent, lease: Lease | null): boolean
}

/** One row a run, written in the transaction of every append. Where a run comes from is written once, with its first. */
export function runTable(database: DatabaseSync): RunTable {
  const selectRun = database.prepare('SELECT * FROM runs WHERE run_id = ?')
  const selectRuns = database.prepare('SELECT * FROM runs')
  const upsertRun = database.prepare(`
    INSERT INTO runs (run_id, events, started_at_ms, updated_at_ms, reason, outcome, work_folder, task, imported)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (run_id) DO UPDATE SET
      events = excluded.events, updated_at_ms = excluded.updated_at_ms, reason = excluded.reason,
      outcome = excluded.outcome, work_folder = excluded.work_folder, task = excluded.task
  `)
  const countRun = database.prepare(`
    UPDATE runs SET events = ?, updated_at_ms = ? WHERE run_id = ? AND events = ?
      AND (? IS NULL OR EXISTS (SELECT 1 FROM leases WHERE name = ? AND fence = ? AND released = 0))
  `)
  return {
    summaryOf(runId) {
      const row = selectRun.get(runId)
      return row === undefined ? undefined : summaryOf(row)
    },
    count(expected, { runId, sequence, timeMs }, lease) {
      const [name, fence] = lease === null ? [null, null] : [lease.name, lease.fence]
      return countRun.run(sequence, timeMs, runId, expected, name, name, fence).changes === 1
    },
    summaries: () => selectRuns.all().map(summaryOf),
    keep({ runId, events, startedAtMs, updatedAtMs, reason, outcome, workFolder, task, imported }) {
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
      )
    },
  }
}

function summaryOf(row: unknown): RunSummary {
  const run = rowOf(runRow, row)
  return {
    runId: run.run_id,
    startedAtMs: run.started_at_ms,
    updatedAtMs: run.updated_at_ms,
    events: run.events,
    task: run.task,
    workFolder: run.work_folder,
    reason: run.reason ?? undefined,
    outcome: run.outcome ?? undefined,
    ...(run.imported === 1 ? { imported: true } : {}),
  }
}
