/** A run as the schedule knows it. */
import type { RunRequest, ScheduledRun } from './facts.ts'
import { compareText } from './ranking.ts'

/** What one point of priority is worth, in waiting. */
export const priorityPointMs = 600_000

export interface Run {
  request: RunRequest
  readonly submittedMs: number
  attempt: number
  lastWorkerId: string | undefined
  stage: ScheduledRun['stage']
  /** Runs with the same one need the same of workers and provider. */
  needsKey: string
}

export function runOf(saved: ScheduledRun): Run {
  const { lastWorkerId, ...rest } = saved
  return { ...rest, lastWorkerId, needsKey: needsKeyOf(saved.request) }
}

/** It ends on the version that it began with. */
export function pinVersion(run: Run, version: string): void {
  run.request = { ...run.request, version }
  run.needsKey = needsKeyOf(run.request)
}

function needsKeyOf({ version, labels, provider }: RunRequest): string {
  return JSON.stringify([version, [...new Set(labels)].sort(compareText), provider])
}

/**
 * Of one tenant: a run that has begun comes before those that have not, so that nobody who comes back from a wait stands
 * behind a queue of new ones. Else who waits longer comes first. Priority is waiting on credit: a run stands behind those
 * alone that come within ten minutes a point, so none starves.
 */
export function compareRuns(left: Run, right: Run): number {
  return (
    Math.min(1, right.attempt) - Math.min(1, left.attempt) ||
    rankMs(left) - rankMs(right) ||
    compareText(left.request.runId, right.request.runId)
  )
}

function rankMs({ submittedMs, request }: Run): number {
  return submittedMs - request.priority * priorityPointMs
}
