/** Which runs a query asks for: what both stores make of it. */
import { checksOnly } from '@donecheck/core/settings'
import { UsageError } from '../../../base/index.ts'
import type { RunPage, RunQuery, RunSummary } from '../../../ports/store.ts'

/** @throws {UsageError} for a limit that no page has */
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

/** Runs of one moment by their ids, which sort by age. */
export function latestBegunFirst(one: RunSummary, other: RunSummary): number {
  if (one.startedAtMs !== other.startedAtMs) return other.startedAtMs - one.startedAtMs
  if (one.runId === other.runId) return 0
  return one.runId < other.runId ? 1 : -1
}

export function isWanted(run: RunSummary, query: RunQuery): boolean {
  const { outcome, reason, label, isOpen, text, withChecksOnly = false } = query
  return (
    (outcome === undefined || run.outcome === outcome) &&
    (reason === undefined || run.reason === reason) &&
    (label === undefined || run.labels.includes(label)) &&
    (isOpen === undefined || isOpen === (run.outcome === undefined)) &&
    (text === undefined || isInText(run.task, text)) &&
    (withChecksOnly || run.drive !== checksOnly)
  )
}

/** In capitals or not. */
export function isInText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}
