import { isLost, type Database } from './connection.ts'
import type { Batch } from '@donecheck/engine/internal/system/store/parts'
import type { HostSession, Lease } from '@donecheck/engine/internal/ports/store'
import { leaseKey } from './leases.ts'
import { keepingSessions, rowOfSession } from './run-rows.ts'

interface Waiting {
  readonly row: AppendRow
  readonly answered: (isDone: boolean) => void
  readonly failed: (error: unknown) => void
}

/** Concurrent exchanges; further rows wait. */
const maxExchanges = 4
/** Per exchange, because its last row waits for the first. */
const maxRows = 32

/** Appends rows atomically and batches them. Reports whether each was done; a refused row fails alone. */
export function appendQueue(database: Database): (row: AppendRow) => Promise<boolean> {
  let waiting: Waiting[] = []
  let exchanges = 0

  async function exchange(batch: readonly Waiting[]): Promise<void> {
    exchanges += 1
    try {
      await settle(batch)
    } finally {
      exchanges -= 1
      begin()
    }
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const done = await appendRows(
        database,
        batch.map(({ row }) => row),
      )
      for (const { row, answered } of batch) answered(done.has(row.events[0].runId))
    } catch (error) {
      // The server rolls back all rows because of one. After a lost connection the result is unknown.
      if (batch.length === 1 || isLost(error)) for (const { failed } of batch) failed(error)
      else for (const one of batch) await settle([one])
    }
  }

  /** Rows of one run never share an exchange, because the second depends on the first. */
  function next(): readonly Waiting[] {
    const batch = new Map<string, Waiting>()
    for (const one of waiting) if (batch.size < maxRows && !batch.has(runOf(one))) batch.set(runOf(one), one)
    waiting = waiting.filter((one) => batch.get(runOf(one)) !== one)
    return [...batch.values()]
  }

  function begin(): void {
    while (waiting.length > 0 && exchanges < maxExchanges) void exchange(next())
  }

  return (row) =>
    new Promise((answered, failed) => {
      waiting.push({ row, answered, failed })
      begin()
    })
}

function runOf({ row }: Waiting): string {
  return row.events[0].runId
}

interface AppendRow {
  readonly expected: number
  readonly events: Batch
  readonly texts: readonly string[]
  readonly lease: Lease | null
  /** Null if the run only counts these events. */
  readonly summary: object | null
  readonly session: HostSession | undefined
}

/** Locks the lease's row: no takeover between check and write, and an earlier one is seen. */
const isHeld = `(lease_key IS NULL OR EXISTS (
  SELECT FROM donecheck.leases WHERE key = lease_key AND fence = lease_fence AND released = 0 FOR SHARE))`

/** Waits for an earlier append, after which the run's sequence differs. */
const counting = (more = '') => `
  UPDATE donecheck.runs SET events = latest, updated_at_ms = latest_ms, changed = DEFAULT ${more}
  FROM given WHERE runs.run_id = given.run_id AND runs.events = expected AND ${isHeld} RETURNING runs.run_id`

/** The common case, cheapest for the server: events that only change counts. */
const appendCounted = (events: string) => `
  WITH given AS (
    SELECT $1::text AS run_id, $2::integer AS expected, $3::integer AS latest, $4::float8 AS latest_ms,
      $5::text AS lease_key, $6::integer AS lease_fence
  ), done AS (${counting()}
  ) INSERT INTO donecheck.events (run_id, sequence, time_ms, type, json) SELECT run_id, ${events}`
const appendOne = appendCounted('$3, $4, $7, $8 FROM done')
const appendRun = appendCounted(
  'event.* FROM done, unnest($7::integer[], $8::float8[], $9::text[], $10::text[]) AS event',
)

/** One row per run. Without a summary only its count changes. */
const appendSeveral = `
  WITH given AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[], $4::float8[], $5::text[], $6::integer[], $7::json[], $8::json[])
      AS given(run_id, expected, latest, latest_ms, lease_key, lease_fence, summary, host_session)
  ), counted AS (${counting(`,
    (reason, outcome, work_folder, task, task_folded, cap, detector, tags, agent) =
      (SELECT reason, outcome, work_folder, task, task_folded, cap, detector, tags, agent FROM json_populate_record(runs, summary))`)}
  ), begun AS (
    INSERT INTO donecheck.runs (run_id, events, started_at_ms, updated_at_ms, reason, outcome, work_folder, task, task_folded, imported,
      cap, detector, tags, agent)
    SELECT given.run_id, latest, run.started_at_ms, latest_ms, run.reason, run.outcome, run.work_folder, run.task, run.task_folded,
      run.imported, run.cap, run.detector, run.tags, run.agent
    FROM given, json_populate_record(NULL::donecheck.runs, summary) AS run WHERE expected = 0 AND ${isHeld}
    ON CONFLICT DO NOTHING RETURNING run_id
  ), done AS (SELECT run_id FROM counted UNION ALL SELECT run_id FROM begun
  ), written AS (
    INSERT INTO donecheck.events (run_id, sequence, time_ms, type, json) SELECT event.* FROM done JOIN
      unnest($9::text[], $10::integer[], $11::float8[], $12::text[], $13::text[]) AS event(run_id, sequence, time_ms, type, json)
      USING (run_id)
  ), kept AS (${keepingSessions(`
    SELECT session.key, session.run_id, session.sequence, session.updated_at_ms, session.snapshot FROM done JOIN given USING (run_id),
      json_populate_record(NULL::donecheck.host_sessions, host_session) AS session WHERE host_session IS NOT NULL`)}
  ) SELECT run_id FROM done`

/**
 * Appends rows whose sequence and lease match; the caller finds the reason of a refusal. @returns their runs
 */
async function appendRows(
  { ask, count }: Pick<Database, 'ask' | 'count'>,
  rows: readonly AppendRow[],
): Promise<ReadonlySet<unknown>> {
  const [row, ...more] = rows
  if (row !== undefined && more.length === 0 && row.summary === null && row.session === undefined) {
    const written = await count(...countedStatement(row))
    return new Set(written === 0 ? [] : [row.events[0].runId])
  }
  const given = rows.map((one) => [
    ...runValues(one),
    one.summary,
    one.session === undefined ? null : rowOfSession(one.session),
  ])
  const events = rows.flatMap(({ events, texts }) =>
    events.map(({ runId, sequence, timeMs, type }, index) => [runId, sequence, timeMs, type, texts[index]]),
  )
  const found = await ask(appendSeveral, [...columnsOf(given, 8), ...columnsOf(events, 5)])
  return new Set(found.map(({ run_id }) => run_id))
}

function countedStatement(row: AppendRow): readonly [string, readonly unknown[]] {
  const { events, texts } = row
  if (events.length === 1) return [appendOne, [...runValues(row), events[0].type, texts[0]]]
  const columns = [
    events.map(({ sequence }) => sequence),
    events.map(({ timeMs }) => timeMs),
    events.map(({ type }) => type),
  ]
  return [appendRun, [...runValues(row), ...columns, texts]]
}

function runValues({ expected, events, lease }: AppendRow): readonly unknown[] {
  const latest = events.at(-1) ?? events[0]
  const [key, fence] = lease === null ? [null, null] : [leaseKey(lease.name, lease.holder), lease.fence]
  return [latest.runId, expected, latest.sequence, latest.timeMs, key, fence]
}

function columnsOf(rows: readonly (readonly unknown[])[], count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, index) => rows.map((row) => row[index]))
}
