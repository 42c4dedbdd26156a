/**
 * `npm run bench:fleet-appends`: durable appends of one event each through the store on PostgreSQL, against bare inserts of the same
 * rows over as many connections of the same server, in turn. Prints the figures for `docs/measured/fleet.md`.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { RunEvent } from 'donecheck'
import { startPostgres } from '@donecheck/fleet/local'
import { postgresStore } from '@donecheck/fleet/postgres'
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
try {
  for (const { runs, events } of cases) {
    const streams = Array.from({ length: runs }, (_, index) => ofRun(`run-${index + 1}`, events))
    const [ours, bare]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      ours.push((runs * events) / (await ourMs(streams)))
      bare.push((runs * events) / (await bareMs(streams)))
    }
    const ratio = median(ours.map((rate, index) => rate / (bare[index] ?? Number.NaN)))
    console.log(
      `${runs} run(s) at once, ${events} events each, ${connections} connections, median of ${rounds} pairs`,
    )
    console.table({
      'the store': { 'appends per s': Math.round(median(ours) * 1000) },
      'bare inserts': { 'appends per s': Math.round(median(bare) * 1000) },
      'store / bare': { ratio: rounded(ratio, 2), aim },
    })
  }
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

function ofRun(runId: string, length: number): readonly RunEvent[] {
  return longStream(length).map((event) => ({ ...event, runId, id: `${runId}-${event.sequence}` }))
}

/** Each run appends one event after the other, as a run does, all runs at once. */
async function ourMs(streams: readonly (readonly RunEvent[])[]): Promise<number> {
  const store = await postgresStore({ url: server.url, tenant: randomUUID(), connections })
  try {
    return await timed(() =>
      Promise.all(
        streams.map(async (events) => {
          for (const event of events) await store.append(event.sequence - 1, [event], null)
        }),
      ),
    )
  } finally {
    await store.close()
  }
}

/** The floor: a table of its own, nothing but the rows. */
async function bareMs(streams: readonly (readonly RunEvent[])[]): Promise<number> {
  const pool = new pg.Pool({ connectionString: server.url, max: connections })
  pool.on('error', () => undefined)
  const table = `bare_${randomUUID().replaceAll('-', '')}`
  await pool.query(
    `CREATE TABLE ${table} (run_id text, sequence integer, time_ms float8, type text, json text, PRIMARY KEY (run_id, sequence))`,
  )
  const insert = { name: table, text: `INSERT INTO ${table} VALUES ($1, $2, $3, $4, $5)` }
  try {
    return await timed(() =>
      Promise.all(
        streams.map(async (events) => {
          for (const event of events) {
            const { runId, sequence, timeMs, type } = event
            await pool.query({ ...insert, values: [runId, sequence, timeMs, type, JSON.stringify(event)] })
          }
        }),
      ),
    )
  } finally {
    await pool.end()
  }
}
