/** Atomic appends. After a lost connection the stored events decide whether one succeeded. */
import type { RunEvent } from '@donecheck/core/internal/events'
import {
  assertInOrder,
  assertLeft,
  isBatch,
  isOnlyCounted,
  readableEvents,
  refusal,
  summarise,
  wholeOf,
  type Batch,
} from '@donecheck/engine/internal/system/store/parts'
import type {
  AppendResult,
  EventLog,
  ExpectedSequence,
  HostSession,
  Lease,
  ReadableEvents,
  RecordKeeping,
} from '@donecheck/engine/internal/ports/store'
import { appendQueue } from './append-queue.ts'
import type { Database, Rows } from './connection.ts'
import { leaseRecordIn } from './leases.ts'
import { rowOfSummary, summariesIn, summaryIn, textsIn } from './run-rows.ts'

interface Beside {
  readonly lease: Lease | null
  readonly session: HostSession | undefined
  readonly isImported: boolean
}

/** @param changed is called after a write */
export function postgresEventLog(database: Database, changed: () => void): EventLog & RecordKeeping {
  const ways = { ask: database.ask, appendRow: appendQueue(database) }

  async function append(
    expected: ExpectedSequence,
    events: readonly RunEvent[],
    beside: Beside,
  ): Promise<AppendResult> {
    if (!isBatch(events)) return { kind: 'appended' }
    assertInOrder(expected, events)
    const texts = events.map((event) => JSON.stringify(event))
    const result = await database.patiently(async (isAgain) => {
      const answer = await appendOnce(ways, expected, events, texts, beside)
      const isSettled = isAgain && answer.kind !== 'appended'
      return isSettled && (await isThere(database, expected, events, texts)) ? appended : answer
    })
    if (result.kind === 'appended') changed()
    return result
  }

  async function readAsFar(runId: string): Promise<ReadableEvents> {
    return readableEvents(runId, await textsIn(database.rows, runId))
  }

  return {
    append: (expected, events, lease, session) =>
      append(expected, events, { lease, session, isImported: false }),
    takeIn: (events) => append(0, events, { lease: null, session: undefined, isImported: true }),
    read: async (runId) => wholeOf(await readAsFar(runId)),
    readAsFar,
    async cutOff(runId, sequence, keep) {
      await database.locked(`run ${runId}`, (rows) => truncateRun(rows, runId, sequence, keep), 'once')
      changed()
    },
    list: () => summariesIn(database.rows),
  }
}

const appended = { kind: 'appended' } as const

/** One exchange; two if the run's summary changes, more after a refusal. */
async function appendOnce(
  { ask, appendRow }: { readonly ask: Rows; readonly appendRow: ReturnType<typeof appendQueue> },
  expected: ExpectedSequence,
  events: Batch,
  texts: readonly string[],
  { lease, session, isImported }: Beside,
): Promise<AppendResult> {
  const [{ runId }] = events
  const isCounted = expected > 0 && isOnlyCounted(events)
  const before = isCounted || expected === 0 ? undefined : await summaryIn(ask, runId)
  if (isCounted || (before?.events ?? 0) === expected) {
    const summary = isCounted ? null : rowOfSummary(summarise(before, events), isImported)
    if (await appendRow({ expected, events, texts, lease, summary, session })) return appended
  }
  const sequence = (await summaryIn(ask, runId))?.events ?? 0
  const leaseRecord = lease === null ? undefined : await leaseRecordIn(ask, lease)
  return refusal({ sequence, leaseRecord }, expected, lease) ?? { kind: 'conflict', actualSequence: sequence }
}

/** Whether these events are stored already, by an exchange without a response. */
async function isThere(
  { ask }: Database,
  expected: ExpectedSequence,
  [{ runId }]: Batch,
  texts: readonly string[],
): Promise<boolean> {
  const found = await ask(
    'SELECT json FROM donecheck.events WHERE run_id = $1 AND sequence > $2 AND sequence <= $3 ORDER BY sequence',
    [runId, expected, expected + texts.length],
  )
  return found.length === texts.length && found.every(({ json }, index) => json === texts[index])
}

/** Locks the run's row first, so a concurrent append waits and finds another sequence. */
async function truncateRun(
  rows: Rows,
  runId: string,
  sequence: number,
  keep: (texts: readonly string[]) => void,
): Promise<void> {
  const [run] = await rows('SELECT imported FROM donecheck.runs WHERE run_id = $1 FOR UPDATE', [runId])
  const texts = await textsIn(rows, runId)
  const left = readableEvents(runId, texts.slice(0, sequence - 1)).events
  assertLeft(left)
  keep(texts.slice(sequence - 1).flatMap((text) => text ?? []))
  await rows('DELETE FROM donecheck.events WHERE run_id = $1 AND sequence >= $2', [runId, sequence])
  await rows('DELETE FROM donecheck.run_rows WHERE run_id = $1', [runId])
  const summary = JSON.stringify(rowOfSummary(summarise(undefined, left), run?.['imported'] === 1))
  await rows(
    `UPDATE donecheck.runs SET (events, updated_at_ms, reason, outcome, cap, detector, task, task_folded, changed) =
       (SELECT events, updated_at_ms, reason, outcome, cap, detector, task, task_folded, pg_current_xact_id()::text::bigint
        FROM json_populate_record(NULL::donecheck.runs, $2))
     WHERE run_id = $1`,
    [runId, summary],
  )
}
