import type { RunEvent } from '@donecheck/core/internal/events'
import type { Line } from '@donecheck/core/internal/base'
import { eventWords } from '@donecheck/core/internal/state/words'

const maxLength = 300

/** Formats an event in one line of limited length. */
export function eventLine(event: RunEvent): Line {
  const { tone, text } = eventWords(event)
  return { tone, text: text.slice(0, maxLength).replaceAll(/\s+/g, ' ') }
}

export class EventFilter {
  readonly #wanted: string
  readonly #places: number[] = []
  #seen = 0

  /** @param wanted part of the type or text; empty matches all */
  constructor(wanted: string) {
    this.#wanted = wanted.toLowerCase()
  }

  in(events: readonly RunEvent[]): readonly number[] | 'all' {
    if (this.#wanted === '') return 'all'
    for (; this.#seen < events.length; this.#seen += 1) {
      const event = events[this.#seen]
      if (event !== undefined && this.#matches(event)) this.#places.push(this.#seen)
    }
    return this.#places
  }

  #matches(event: RunEvent): boolean {
    return event.type.includes(this.#wanted) || eventLine(event).text.toLowerCase().includes(this.#wanted)
  }
}
