import type { AppendResult, ExpectedSequence, RunEvent, RunSummary } from '../../events/index.ts'
import type { EventLog, HostSession, Lease } from '../../ports.ts'
import { assertInOrder, isBatch, refusal } from '../append-rules.ts'
import type { Attempt } from '../attempt.ts'
import { eventText, storedEvent } from '../event-text.ts'
import type { LeaseRecord } from '../lease-rules.ts'
import { latestFirst, summarise } from '../summary.ts'

interface Stream {
  summary: RunSummary
  /** Texts, not objects: whoever changes an event that was appended or read changes nothing here. */
  readonly texts: string[]
}

interface MemoryEventLog extends EventLog {
  /** 0 for an unknown run. */
  readonly sequenceOf: (runId: string) => number
}

/** @param leaseRecord what is known of a lease's name */
export function memoryEventLog(
  attempt: Attempt,
  leaseRecord: (name: string) => LeaseRecord | undefined,
  hostSessions: Map<string, HostSession>,
): MemoryEventLog {
  const streams = new Map<string, Stream>()

  function append(
    expected: ExpectedSequence,
    events: readonly RunEvent[],
    lease: Lease | null,
    beside: HostSession | undefined,
  ): AppendResult {
    if (!isBatch(events)) return { kind: 'appended' }
    assertInOrder(expected, events)
    const texts = events.map(eventText)
    const stream = streams.get(events[0].runId)
    const standing = {
      sequence: stream?.texts.length ?? 0,
      leaseRecord: lease === null ? undefined : leaseRecord(lease.name),
    }
    const refused = refusal(standing, expected, lease)
    if (refused !== undefined) return refused
    const summary = summarise(stream?.summary, events)
    if (stream === undefined) streams.set(summary.runId, { summary, texts })
    else {
      stream.summary = summary
      for (const text of texts) stream.texts.push(text)
    }
    if (beside !== undefined) hostSessions.set(beside.key, { ...beside })
    return { kind: 'appended' }
  }

  return {
    sequenceOf: (runId) => streams.get(runId)?.texts.length ?? 0,
    append: (expected, events, lease, beside) => attempt(() => append(expected, events, lease, beside)),
    read: (runId) =>
      attempt(() =>
        (streams.get(runId)?.texts ?? []).map((text, index) => storedEvent(runId, index + 1, text)),
      ),
    list: () => attempt(() => [...streams.values()].map(({ summary }) => summary).sort(latestFirst)),
  }
}
