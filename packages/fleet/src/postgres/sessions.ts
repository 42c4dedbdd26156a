/** Sessions of hosts: one row each, which does not grow with what has happened in it. */
import { keptSessionOf, sessionEntryOf } from '@donecheck/engine/store/parts'
import type { HostSession, HostSessions } from '@donecheck/engine/ports/store'
import type { Database } from './connection.ts'

export function rowOfSession(session: HostSession): Readonly<Record<string, unknown>> {
  const { key, runId, sequence, updatedAtMs, snapshot } = session
  return { key: JSON.stringify(key), run_id: runId, sequence, updated_at_ms: updatedAtMs, snapshot }
}

/** @param rows a query of what is to be kept */
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
      // The run's row is locked: nothing is appended between the look and the write.
      const kept = await rows(
        `WITH run AS (SELECT run_id FROM donecheck.runs WHERE run_id = $2 AND events = $3 FOR SHARE)
         ${keepingSessions('SELECT $1, run_id, $3, $4, $5 FROM run')} RETURNING key`,
        [JSON.stringify(session.key), session.runId, session.sequence, session.updatedAtMs, session.snapshot],
      )
      return kept.length > 0
    },
  }
}
