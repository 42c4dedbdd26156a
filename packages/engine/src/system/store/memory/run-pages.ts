import type { RunPage, RunPages, RunQuery, RunSummary } from '../../../ports/store.ts'
import { begunOf, readableEvents } from '../texts/event-text.ts'
import { assertLimit, isWanted, latestBegunFirst, pageOf, startOf } from '../rules/run-query.ts'
import type { Attempt } from '../rules/table-methods.ts'

export interface Stream {
  summary: RunSummary
  /** Texts, not objects: whoever changes an event that was appended or read changes nothing here. */
  readonly texts: string[]
  /** Which change of the store was its latest. */
  changed: number
}

export interface Streams {
  readonly byRun: Map<string, Stream>
  /** Grows with every change. */
  latest: number
}

/** Something of that run has changed. */
export function touch(streams: Streams, runId: string): void {
  const stream = streams.byRun.get(runId)
  if (stream === undefined) return
  streams.latest += 1
  stream.changed = streams.latest
}

export function memoryRunPages(attempt: Attempt, streams: Streams): RunPages {
  const { byRun } = streams
  const summaryOf = (runId: string) => byRun.get(runId)?.summary

  function pageFor(query: RunQuery): RunPage {
    assertLimit(query.limit)
    const last = startOf(query, summaryOf)
    const found = [...byRun.values()]
      .map(({ summary }) => summary)
      .filter((run) => isWanted(run, query) && (last === undefined || latestBegunFirst(last, run) < 0))
    return pageOf(found.sort(latestBegunFirst), query.limit)
  }

  function changedSince(after: number): readonly string[] {
    const changed = [...byRun.values()].filter((stream) => stream.changed > after)
    return changed.sort((one, other) => one.changed - other.changed).map(({ summary }) => summary.runId)
  }

  return {
    readAfter: (runId, sequence, limit) =>
      attempt(() => {
        const texts = byRun.get(runId)?.texts ?? []
        return begunOf(readableEvents(runId, texts.slice(sequence, sequence + limit), sequence))
      }),
    listPage: (query) => attempt(() => pageFor(query)),
    summary: (runId) => attempt(() => summaryOf(runId)),
    changes: (after = streams.latest) =>
      attempt(() => ({ latest: streams.latest, runIds: changedSince(after) })),
  }
}
