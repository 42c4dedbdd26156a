/** When a batch of events may be written: the rules of `EventLog.append`, the same for every store. */
import type { RunEvent } from '@donecheck/core/internal/events'
import { UsageError } from '../../../base/index.ts'
import type {
  AppendResult,
  ExpectedSequence,
  Lease,
  RunPage,
  RunQuery,
  RunSummary,
} from '../../../ports/store.ts'
import { fencedMessage, type LeaseRecord } from './names.ts'

export type Batch = readonly [RunEvent, ...RunEvent[]]

export function isBatch(events: readonly RunEvent[]): events is Batch {
  return events.length > 0
}

/** @throws {TypeError} unless the events are of one run, gapless after the expected one, and have times */
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

/** Checks that a cut keeps events. @throws {TypeError} if none remain */
export function assertLeft(events: readonly RunEvent[]): asserts events is Batch {
  if (!isBatch(events)) throw new TypeError('a run keeps its first event, or it is none')
}

interface StoredRun {
  readonly sequence: number
  readonly leaseRecord: LeaseRecord | undefined
}

/** @returns undefined if the batch may be written. A lost lease wins over a conflict */
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

/** @param before undefined for a new run */
export function summarise(before: RunSummary | undefined, batch: Batch): RunSummary {
  return batch.reduce(withEvent, before ?? newSummary(batch[0]))
}

/** Whether the batch changes only count and time of the summary. */
export function isOnlyCounted(batch: Batch): boolean {
  return batch.every((event) => summaryChange(event) === undefined)
}

/** By latest event, then by id, which sorts by age. */
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
    agent: undefined,
    reason: undefined,
    outcome: undefined,
    cap: undefined,
    detector: undefined,
    tags: [],
  }
}

function withEvent(before: RunSummary, event: RunEvent): RunSummary {
  return { ...before, updatedAtMs: event.timeMs, events: event.sequence, ...summaryChange(event) }
}

/** Summary change of an event; most have none. */
function summaryChange(event: RunEvent): Partial<RunSummary> | undefined {
  if (event.type === 'goal-set') return { task: readable(event.task) }
  if (event.type === 'run-started')
    return {
      workFolder: event.workFolder === null ? null : readable(event.workFolder),
      agent: readable(event.agent.name),
      tags: (event.tags ?? []).map(readable),
    }
  if (event.type === 'run-resumed')
    return { reason: undefined, outcome: undefined, cap: undefined, detector: undefined }
  if (event.type !== 'run-stopped') return undefined
  const { reason, outcome, cap, detector } = event.transition
  return { reason, outcome, cap, detector: detector === undefined ? undefined : readable(detector) }
}

/** Text columns do not preserve lone surrogates and NUL; the event does. */
function readable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}')
}

/** @throws {UsageError} for an invalid limit */
export function assertLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new UsageError(`limit must be a positive whole number, not ${limit}`)
}

/** Last run of the previous page; undefined for the first page. @throws {UsageError} if unknown */
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

/** @param found one more than fits, if there are more */
export function pageOf(found: readonly RunSummary[], limit: number): RunPage {
  const runs = found.slice(0, limit)
  return { runs, next: found.length > limit ? (runs.at(-1)?.runId ?? null) : null }
}

export function isInText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}
