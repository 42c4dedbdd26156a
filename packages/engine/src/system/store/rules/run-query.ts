/** Which runs a query asks for: what every store makes of it. */
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

/** In capitals or not. */
export function isInText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}
