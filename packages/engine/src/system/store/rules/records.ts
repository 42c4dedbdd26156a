/** When a batch of events may be written: the rules of `EventLog.append`, the same for every store. */
import type { RunEvent } from '@donecheck/core/internal/events'
import { UsageError } from '../../../base/index.ts'
import type {
  AppendResult,
  EventLog,
  ExpectedSequence,
  HostSession,
  Lease,
  RecordKeeping,
  RunPage,
  RunQuery,
  RunSummary,
} from '../../../ports/store.ts'
import { type Atomically, type Attempt, fencedMessage, type LeaseRecord } from './names.ts'

export type Batch = readonly [RunEvent, ...RunEvent[]]

export function isBatch(events: readonly RunEvent[]): events is Batch {
  return events.length > 0
}

/**
 * @throws {TypeError} when the events are not of one run, do not follow the expected one without a gap, or have no
 * time: a program that does this is wrong
 */
export function assertInOrder(expected: ExpectedSequence, batch: Batch): void {
  const [{ runId }] = batch
  for (const [index, event] of batch.entries()) {
    const name = `event ${event.sequence} of run ${event.runId}`
    const sequence = expected + index + 1
    if (event.runId !== runId) throw new TypeError(`${name} is appended to run ${runId}: append run by run`)
    if (event.sequence !== sequence)
      throw new TypeError(`${name} is appended as number ${sequence}: number events from the expected one on`)
    if (!Number.isFinite(event.timeMs))
      throw new TypeError(`${name} has the time ${event.timeMs}: give milliseconds`)
  }
}

/** What is left of a run that is cut off. @throws {TypeError} where nothing would be left */
export function assertLeft(events: readonly RunEvent[]): asserts events is Batch {
  if (!isBatch(events)) throw new TypeError('a run keeps its first event, or it is none')
}

interface StoredRun {
  readonly sequence: number
  readonly leaseRecord: LeaseRecord | undefined
}

/** Undefined when the batch may be written. A writer that was fenced off is told so, even where the stream moved too. */
export function refusal(
  status: StoredRun,
  expected: ExpectedSequence,
  lease: Lease | null,
): AppendResult | undefined {
  const message = lease === null ? undefined : fencedMessage(status.leaseRecord, lease)
  if (message !== undefined) return { kind: 'fenced', message }
  if (status.sequence === expected) return undefined
  return { kind: 'conflict', actualSequence: status.sequence }
}

export interface EventTable {
  readonly summaryOf: (runId: string) => RunSummary | undefined
  readonly keepSummary: (summary: RunSummary) => void
  readonly insert: (events: Batch, texts: readonly string[]) => void
  readonly leaseRecord: (name: string) => LeaseRecord | undefined
  readonly keepHostSession: (session: HostSession) => void
}

export function appendingTo(
  table: EventTable,
  attempt: Attempt,
  atomically: Atomically,
): Pick<EventLog & RecordKeeping, 'append' | 'takeIn'> {
  function append(
    expected: ExpectedSequence,
    events: readonly RunEvent[],
    lease: Lease | null,
    beside: HostSession | undefined,
    isImported = false,
  ): AppendResult {
    if (!isBatch(events)) return { kind: 'appended' }
    assertInOrder(expected, events)
    const texts = events.map((event) => JSON.stringify(event))
    return atomically(() => {
      const refused = writeSummary(expected, events, lease, isImported)
      if (refused !== undefined) return refused
      table.insert(events, texts)
      if (beside !== undefined) table.keepHostSession(beside)
      return { kind: 'appended' }
    })
  }

  /** Writes what the run is after the batch; where the batch may not be written, why. */
  function writeSummary(
    expected: ExpectedSequence,
    events: Batch,
    lease: Lease | null,
    isImported: boolean,
  ): AppendResult | undefined {
    const before = table.summaryOf(events[0].runId)
    const status = {
      sequence: before?.events ?? 0,
      leaseRecord: lease === null ? undefined : table.leaseRecord(lease.name),
    }
    const refused = refusal(status, expected, lease)
    if (refused !== undefined) return refused
    const summary = summarise(before, events)
    table.keepSummary(isImported ? { ...summary, imported: true } : summary)
    return undefined
  }

  return {
    append: (expected, events, lease, beside) => attempt(() => append(expected, events, lease, beside)),
    takeIn: (events) => attempt(() => append(0, events, null, undefined, true)),
  }
}

/** @param before undefined for a new run */
export function summarise(before: RunSummary | undefined, batch: Batch): RunSummary {
  return batch.reduce(withEvent, before ?? newSummary(batch[0]))
}

/** The batch changes nothing of a summary but its number of events and the time of the latest. */
export function isOnlyCounted(batch: Batch): boolean {
  return batch.every((event) => summaryChange(event) === undefined)
}

/** By their latest event; runs of one moment by their ids, which sort by age. */
export function latestFirst(one: RunSummary, other: RunSummary): number {
  if (one.updatedAtMs !== other.updatedAtMs) return other.updatedAtMs - one.updatedAtMs
  return one.runId < other.runId ? 1 : -1
}

function newSummary(event: RunEvent): RunSummary {
  return {
    runId: event.runId,
    startedAtMs: event.timeMs,
    updatedAtMs: event.timeMs,
    events: 0,
    task: '',
    workFolder: null,
    drive: undefined,
    reason: undefined,
    outcome: undefined,
    cap: undefined,
    detector: undefined,
    labels: [],
  }
}

function withEvent(before: RunSummary, event: RunEvent): RunSummary {
  return { ...before, updatedAtMs: event.timeMs, events: event.sequence, ...summaryChange(event) }
}

/** What an event says of its run beside that it is its latest; undefined: nothing, as most do. */
function summaryChange(event: RunEvent): Partial<RunSummary> | undefined {
  if (event.type === 'goal-set') return { task: readable(event.task) }
  if (event.type === 'run-started')
    return {
      workFolder: event.workFolder === null ? null : readable(event.workFolder),
      drive: readable(event.drive.name),
      labels: (event.labels ?? []).map(readable),
    }
  if (event.type === 'run-resumed')
    return { reason: undefined, outcome: undefined, cap: undefined, detector: undefined }
  if (event.type !== 'run-stopped') return undefined
  const { reason, outcome, cap, detector } = event.transition
  return { reason, outcome, cap, detector: detector === undefined ? undefined : readable(detector) }
}

/** Half a character and NUL do not survive in a text column; the event itself keeps them. */
function readable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}')
}

/** @throws {UsageError} for a limit that no page can have */
export function assertLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new UsageError(`limit must be a positive whole number, not ${limit}`)
}

/** The last run of the page before, undefined for the first page. @throws {UsageError} where there is no such run */
export function startOf(
  { cursor }: RunQuery,
  summaryOf: (runId: string) => RunSummary | undefined,
): RunSummary | undefined {
  if (cursor === undefined) return undefined
  const last = summaryOf(cursor)
  if (last === undefined)
    throw new UsageError(
      `there is no page after "${cursor}"; give the "next" of the page before, or no cursor`,
    )
  return last
}

/** @param found one more than the page holds, where there is one */
export function pageOf(found: readonly RunSummary[], limit: number): RunPage {
  const runs = found.slice(0, limit)
  return { runs, next: found.length > limit ? (runs.at(-1)?.runId ?? null) : null }
}

export function isInText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}
