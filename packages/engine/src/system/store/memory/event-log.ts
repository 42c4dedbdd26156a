import type { EventLog, KeptRunRow, RecordKeeping } from '../../../ports/store.ts'
import { appendingTo, type EventTable } from '../rules/appending.ts'
import { assertLeft } from '../rules/append-rules.ts'
import { latestFirst, summarise } from '../rules/summary.ts'
import type { Atomically, Attempt } from '../rules/table-methods.ts'
import { readableEvents, wholeOf } from '../texts/event-text.ts'
import { touch, type Streams } from './run-pages.ts'

/** One thread does all of it, and waits for nothing in between. */
export const atOnce: Atomically = (work) => work()

interface Beside extends Pick<EventTable, 'leaseRecord' | 'keepHostSession'> {
  readonly streams: Streams
  /** By run; of one that is cut off it is taken out. */
  readonly rows: Map<string, KeptRunRow>
}

export function memoryEventLog(
  attempt: Attempt,
  { streams, streams: { byRun }, rows, ...beside }: Beside,
): EventLog & RecordKeeping {
  const table: EventTable = {
    ...beside,
    summaryOf: (runId) => byRun.get(runId)?.summary,
    keepSummary(summary) {
      const stream = byRun.get(summary.runId)
      if (stream === undefined) byRun.set(summary.runId, { summary, texts: [], changed: 0 })
      else stream.summary = summary
    },
    count: () => false,
    insert([{ runId }], texts) {
      for (const text of texts) byRun.get(runId)?.texts.push(text)
      touch(streams, runId)
    },
  }

  const readable = (runId: string) => readableEvents(runId, byRun.get(runId)?.texts ?? [])

  function cutOff(runId: string, sequence: number, keep: (texts: readonly string[]) => void): void {
    const stream = byRun.get(runId)
    if (stream === undefined) return
    const left = readable(runId).events.slice(0, sequence - 1)
    assertLeft(left)
    keep(stream.texts.slice(sequence - 1))
    stream.texts.splice(sequence - 1)
    rows.delete(runId)
    const { imported } = stream.summary
    stream.summary = { ...summarise(undefined, left), ...(imported === true ? { imported } : {}) }
    touch(streams, runId)
  }

  return {
    ...appendingTo(table, attempt, atOnce),
    read: (runId) => attempt(() => wholeOf(readable(runId))),
    readAsFar: (runId) => attempt(() => readable(runId)),
    cutOff: (runId, sequence, keep) => attempt(() => cutOff(runId, sequence, keep)),
    list: () => attempt(() => [...byRun.values()].map(({ summary }) => summary).sort(latestFirst)),
  }
}
