import type {
  AppendResult,
  ExpectedSequence,
  EventLog,
  HostSession,
  KeptRunRow,
  Lease,
  RecordKeeping,
} from '../../../ports/store.ts'
import type { RunEvent } from '@donecheck/core/events'
import { assertInOrder, assertLeft, isBatch, refusal } from '../rules/append-rules.ts'
import { eventText, readableEvents, wholeOf } from '../texts/event-text.ts'
import type { LeaseRecord } from '../rules/lease-rules.ts'
import type { Attempt } from '../rules/table-methods.ts'
import { touch, type Streams } from './run-pages.ts'
import { latestFirst, summarise } from '../rules/summary.ts'

interface Beside {
  readonly streams: Streams
  /** What is known of a lease's name. */
  readonly leaseRecord: (name: string) => LeaseRecord | undefined
  readonly keepHostSession: (session: HostSession) => void
  /** By run; of one that is cut off it is taken out. */
  readonly rows: Map<string, KeptRunRow>
}

export function memoryEventLog(
  attempt: Attempt,
  { streams, streams: { byRun }, leaseRecord, keepHostSession, rows }: Beside,
): EventLog & RecordKeeping {
  function append(
    expected: ExpectedSequence,
    events: readonly RunEvent[],
    lease: Lease | null,
    beside: HostSession | undefined,
    isImported = false,
  ): AppendResult {
    if (!isBatch(events)) return { kind: 'appended' }
    assertInOrder(expected, events)
    const texts = events.map(eventText)
    const stream = byRun.get(events[0].runId)
    const status = {
      sequence: stream?.texts.length ?? 0,
      leaseRecord: lease === null ? undefined : leaseRecord(lease.name),
    }
    const refused = refusal(status, expected, lease)
    if (refused !== undefined) return refused
    const summarised = summarise(stream?.summary, events)
    const summary = isImported ? { ...summarised, imported: true as const } : summarised
    if (stream === undefined) byRun.set(summary.runId, { summary, texts, changed: 0 })
    else {
      stream.summary = summary
      for (const text of texts) stream.texts.push(text)
    }
    touch(streams, summary.runId)
    if (beside !== undefined) keepHostSession(beside)
    return { kind: 'appended' }
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
    append: (expected, events, lease, beside) => attempt(() => append(expected, events, lease, beside)),
    takeIn: (events) => attempt(() => append(0, events, null, undefined, true)),
    read: (runId) => attempt(() => wholeOf(readable(runId))),
    readAsFar: (runId) => attempt(() => readable(runId)),
    cutOff: (runId, sequence, keep) => attempt(() => cutOff(runId, sequence, keep)),
    list: () => attempt(() => [...byRun.values()].map(({ summary }) => summary).sort(latestFirst)),
  }
}
