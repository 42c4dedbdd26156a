/**
 * `npm run bench:fleet-appends`: durable appends of one event each through the store on PostgreSQL, against bare statements over as
 * many connections of the same server, in turn. Prints the figures for `docs/measured/fleet.md`.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { RunEvent } from 'donecheck'
import { startPostgres } from '@donecheck/fleet/internal/local'
import { postgresStore } from '@donecheck/fleet/internal/postgres'
import { serversFolder } from '../../test/fleet/kit/servers.ts'
import { longStream } from '../long-stream.ts'
import { median, rounded, timed } from '../table.ts'

const rounds = 5
const connections = 10
const cases = [
  { runs: 1, events: 1000 },
  { runs: 50, events: 100 },
]

const aim = '>= 0.7'

const folder = await mkdtemp(join(tmpdir(), 'donecheck-bench-'))
// As it comes: every commit is forced onto the disk.
const server = await startPostgres({ folder, packagesFrom: serversFolder })
const ways = { store: ourMs, inserts: bare(false), rows: bare(true) }
try {
  for (const { runs, events } of cases) {
    const streams = Array.from({ length: runs }, (_, index) => ofRun(`run-${index + 1}`, events))
    const rates: Record<keyof typeof ways, number[]> = { store: [], inserts: [], rows: [] }
    for (let round = 0; round < rounds; round += 1)
      for (const way of ['store', 'inserts', 'rows'] as const)
        rates[way].push((runs * events) / (await ways[way](streams)))
    console.log(
      `${runs} run(s) at once, ${events} events each, ${connections} connections, median of ${rounds}`,
    )
    const perSecond = (way: keyof typeof ways) => Math.round(median(rates[way]) * 1000)
    const against = (way: 'inserts' | 'rows') =>
      rounded(median(rates.store.map((rate, index) => rate / (rates[way][index] ?? Number.NaN))), 2)
    console.table({
      'the store': { 'appends per s': perSecond('store') },
      'bare inserts of events': {
        'appends per s': perSecond('inserts'),
        'store / bare': against('inserts'),
        aim,
      },
      'the same rows, bare': { 'appends per s': perSecond('rows'), 'store / bare': against('rows'), aim },
    })
  }
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

function ofRun(runId: string, length: number): readonly RunEvent[] {
  return longStream(length).map((event) => ({ ...event, runId, id: `${runId}-${event.sequence}` }))
}

async function ourMs(streams: readonly (readonly RunEvent[])[]): Promise<number> {
  const store = await postgresStore({ url: server.url, tenant: randomUUID(), connections })
  try {
    return await timed(() => eachInTurn(streams, (event) => store.append(event.sequence - 1, [event], null)))
  } finally {
    await store.close()
  }
}

/**
 * The floors, in tables of their own: the rows of events alone, or those and how many events each run has, which are the rows that an
 * append writes, by one statement for each.
 */
function bare(countsRuns: boolean) {
  return async (streams: readonly (readonly RunEvent[])[]): Promise<number> => {
    const pool = new pg.Pool({ connectionString: server.url, max: connections })
    pool.on('error', () => undefined)
    const name = `bare_${randomUUID().replaceAll('-', '')}`
    const runIds = streams.flatMap(([first]) => first?.runId ?? [])
    await pool.query(
      `CREATE TABLE ${name} (run_id text, sequence integer, time_ms float8, type text, json text, PRIMARY KEY (run_id, sequence))`,
    )
    await pool.query(
      `CREATE TABLE ${name}_runs (run_id text PRIMARY KEY, events integer, updated_at_ms float8)`,
    )
    await pool.query(`INSERT INTO ${name}_runs SELECT run_id, 0, 0 FROM unnest($1::text[]) AS run_id`, [
      runIds,
    ])
    const text = countsRuns
      ? `WITH run AS (UPDATE ${name}_runs SET events = $2::integer, updated_at_ms = $3::float8
           WHERE run_id = $1 AND events = $2::integer - 1 RETURNING run_id)
         INSERT INTO ${name} SELECT run_id, $2::integer, $3::float8, $4, $5 FROM run`
      : `INSERT INTO ${name} VALUES ($1, $2, $3, $4, $5)`
    try {
      return await timed(() =>
        eachInTurn(streams, async (event) => {
          const { runId, sequence, timeMs, type } = event
          const values = [runId, sequence, timeMs, type, JSON.stringify(event)]
          await pool.query({ name, text, values })
        }),
      )
    } finally {
      await pool.end()
    }
  }
}

/** Each run appends one event after the other, as a run does, all runs at once. */
function eachInTurn(
  streams: readonly (readonly RunEvent[])[],
  append: (event: RunEvent) => Promise<unknown>,
): Promise<unknown> {
  return Promise.all(
    streams.map(async (events) => {
      for (const event of events) await append(event)
    }),
  )
}
