import type { RunEvent } from '@donecheck/core/internal/events'

/** From one event of a run to the next. */
export interface Silence {
  readonly atMs: number
  readonly ms: number
  /** Between which events of which run. */
  readonly where: string
}

/** Waits for a person apart. */
export function silencesOf(events: readonly RunEvent[]): readonly Silence[] {
  return events.slice(1).flatMap((event, index) => {
    const before = events[index]
    if (before === undefined || before.type === 'approval-requested') return []
    return {
      atMs: before.timeMs,
      ms: event.timeMs - before.timeMs,
      where: `${event.runId} from ${before.type} to ${event.type}, event ${event.sequence}`,
    }
  })
}
