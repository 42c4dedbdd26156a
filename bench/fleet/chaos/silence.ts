import type { RunEvent } from '@donecheck/core/events'

export interface Silence {
  readonly ms: number
  /** Between which events of which run. */
  readonly where: string
}

/** The longest, waits for a person apart. */
export function silenceOf(events: readonly RunEvent[]): Silence {
  const silences = events.slice(1).map((event, index): Silence => {
    const before = events[index]
    if (before === undefined || before.type === 'approval-requested') return { ms: 0, where: '' }
    return {
      ms: event.timeMs - before.timeMs,
      where: `${event.runId} from ${before.type} to ${event.type}, event ${event.sequence}`,
    }
  })
  return silences.toSorted((left, right) => right.ms - left.ms)[0] ?? { ms: 0, where: '' }
}
