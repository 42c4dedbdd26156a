import type { KeptRunRow, RecordKeeping, RunRows } from '../../ports/store.ts'
import { runRow, type RunRow, runRowSchema } from './row.ts'
import { jsonOf } from '../../base/index.ts'

export type RowStore = Pick<RecordKeeping & RunRows, 'readAsFar' | 'runRows' | 'keepRunRows'>

const batchSize = 200

export interface KnownRuns {
  readonly rows: readonly RunRow[]
  readonly imported: readonly string[]
  readonly made: number
  /** Number of runs with unreadable events; their rows cover the events before. */
  readonly damaged: number
}

/** @param since Unix milliseconds: only runs that started then or later @param runIds only these */
export async function knownRuns(
  store: RowStore,
  since = -Infinity,
  runIds?: readonly string[],
): Promise<KnownRuns> {
  const known = await store.runRows(since, runIds)
  const rows: RunRow[] = []
  const missing = [...known.missing]
  for (const kept of known.rows) {
    const row = readRow(kept)
    if (row === undefined) missing.push(kept.runId)
    else rows.push(row)
  }
  const { made, damaged } = await makeRows(store, missing)
  return { rows: [...rows, ...made], imported: known.imported, made: made.length, damaged }
}

export async function keepRow(store: RowStore, runId: string): Promise<void> {
  const { events } = await store.readAsFar(runId)
  const row = runRow(events)
  if (row !== undefined) await store.keepRunRows([keptRow(row, events.length)])
}

async function makeRows(store: RowStore, missing: readonly string[]) {
  const made: RunRow[] = []
  let damaged = 0
  for (let start = 0; start < missing.length; start += batchSize) {
    const batch: KeptRunRow[] = []
    for (const runId of missing.slice(start, start + batchSize)) {
      const { events, problem } = await store.readAsFar(runId)
      const row = runRow(events)
      if (problem !== undefined) damaged += 1
      if (row !== undefined) made.push(row)
      // A damaged record may be repaired later, so its row is not stored.
      if (row !== undefined && problem === undefined) batch.push(keptRow(row, events.length))
    }
    await store.keepRunRows(batch)
  }
  return { made, damaged }
}

function keptRow(row: RunRow, events: number): KeptRunRow {
  return { runId: row.runId, events, text: JSON.stringify(row) }
}

/** Undefined if the text is not a row of this run and version. */
function readRow({ runId, text }: KeptRunRow): RunRow | undefined {
  const parsed = runRowSchema.safeParse(jsonOf(text))
  return parsed.success && parsed.data.runId === runId ? parsed.data : undefined
}
