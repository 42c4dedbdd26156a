/** One run in a list, kept up to date with every append: a list reads no events. */
import type { RunEvent } from '@donecheck/core/events'
import type { RunSummary } from '../../../ports/store.ts'
import type { Batch } from './append-rules.ts'

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
