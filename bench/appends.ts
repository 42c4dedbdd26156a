import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore, type RunEvent } from 'donecheck'
import { bareAppendsMs } from './bare-sqlite.ts'
import { longStream } from './long-stream.ts'
import { median, rounded, timed, type Table } from './table.ts'

const appends = 1500
const rounds = 5

/** Durable appends of one event each, against bare node:sqlite with the same rows and settings, in turn. */
export async function appendsTable(): Promise<Table> {
  const events = longStream(appends)
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    ours.push(appends / (await ourMs(events)))
    bare.push(appends / bareAppendsMs(events.map((event) => [JSON.stringify(event)])))
  }
  const ratio = median(ours.map((rate, index) => rate / (bare[index] ?? Number.NaN)))
  return {
    title: `durable appends (synchronous=FULL), ${appends} events one by one, median of ${rounds} pairs`,
    rows: [
      { name: 'donecheck store', 'appends per s': Math.round(median(ours) * 1000) },
      { name: 'bare node:sqlite', 'appends per s': Math.round(median(bare) * 1000) },
      { name: 'donecheck / bare', ratio: rounded(ratio, 2), aim: '>= 0.8' },
    ],
  }
}

async function ourMs(events: readonly RunEvent[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-bench-'))
  const store = openSqliteStore({ folder })
  try {
    return await timed(async () => {
      for (const event of events) await store.append(event.sequence - 1, [event], null)
    })
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
