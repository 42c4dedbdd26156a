/** `npm run bench:insights`: how long the answers over a hundred thousand runs take. Prints figures; asserts nothing about time. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RunEvent } from '@donecheck/core/internal/events'
import { insightsOf, knownRuns } from '@donecheck/engine/internal/insight/insights'
import { openSqliteStore } from '@donecheck/engine/store'
import { median, rounded, timed } from '../table.ts'
import { eventsOf, readRecordings, recordings } from './recordings.ts'

const wantedRuns = Number(process.argv[2] ?? 100_000)
/** Events that a run has in the mean. */
const wantedLength = 100

if (!existsSync(recordings)) {
  console.log(`no recorded runs in ${recordings}: set DONECHECK_TRAJECTORIES`)
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'donecheck-insights-'))
try {
  await measure()
} finally {
  await rm(folder, { recursive: true })
}

async function measure(): Promise<void> {
  const runs = longEnough(readRecordings(recordings).map(eventsOf))
  const store = openSqliteStore({ folder })
  const events = runs.reduce((sum, told) => sum + told.length, 0)
  for (const told of runs) await store.takeIn(told)
  const first = await timed(() => knownRuns(store))
  const copies = Math.ceil(wantedRuns / runs.length)
  const copyMs = await timed(() => repeat(store.place, copies))
  const asked: number[] = []
  const cpuMs: number[] = []
  let answer = ''
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage()
    asked.push(
      await timed(async () => {
        const { rows, made } = await knownRuns(store)
        const { total } = insightsOf(rows)
        answer = `${rows.length} rows (${made} made now), ${total?.verified.part ?? 0} verified`
      }),
    )
    const { user, system } = process.cpuUsage(before)
    cpuMs.push((user + system) / 1000)
  }
  const { size } = await stat(store.place)
  await store.close()
  console.table({
    'recorded runs': runs.length,
    'their events': events,
    'first question over them, without a row, s': rounded(first / 1000, 2),
    'µs per event then': rounded((1000 * first) / events, 1),
    'runs with all copies': runs.length * copies,
    'events with all copies': events * copies,
    'store, GB': rounded(size / 1e9, 2),
    'copying, s (no part of a question)': rounded(copyMs / 1000, 1),
    'question over rows, s, median of 5': rounded(median(asked) / 1000, 2),
    'slowest of 5, s': rounded(Math.max(...asked) / 1000, 2),
    'time of processors for one, s, median of 5': rounded(median(cpuMs) / 1000, 2),
    'aim, s': '< 2',
  })
  console.log(answer)
}

/** The longest, so many that they have so many events in the mean. */
function longEnough(runs: readonly (readonly RunEvent[])[]): readonly (readonly RunEvent[])[] {
  const longestFirst = runs.toSorted((one, other) => other.length - one.length)
  let events = 0
  const until = longestFirst.findIndex((run, index) => {
    events += run.length
    return events / (index + 1) < wantedLength
  })
  return until === -1 ? runs : longestFirst.slice(0, until)
}

/** The same runs under new names, with their events and rows: as many files of SQLite see them. */
function repeat(place: string, copies: number): void {
  const database = new DatabaseSync(place)
  database.exec('PRAGMA synchronous = OFF')
  for (let copy = 1; copy < copies; copy += 1) {
    const name = (column: string) => `replace(${column}, 'run-0', 'r${String(copy).padStart(3, '0')}-0')`
    database.exec(`BEGIN;
      INSERT INTO runs SELECT ${name('run_id')}, events, started_at_ms, updated_at_ms, reason, outcome, work_folder, task,
        imported, cap, detector, tags FROM runs WHERE run_id LIKE 'run-%';
      INSERT INTO events SELECT ${name('run_id')}, sequence, time_ms, type, ${name('json')} FROM events WHERE run_id LIKE 'run-%';
      INSERT INTO run_rows SELECT ${name('run_id')}, events, ${name('text')} FROM run_rows WHERE run_id LIKE 'run-%';
      COMMIT;`)
  }
  database.close()
}
