/** Which events of a growing list are wanted: each is looked at once for one filter. */
import type { RunEvent } from '@donecheck/core/events'
import { eventWords } from './event-words.ts'

export class EventFilter {
  readonly #wanted: string
  readonly #places: number[] = []
  #seen = 0

  /** @param wanted a part of the type or of the words; empty: all */
  constructor(wanted: string) {
    this.#wanted = wanted.toLowerCase()
  }

  /** Indices of those that match. The list only grows. */
  in(events: readonly RunEvent[]): readonly number[] | 'all' {
    if (this.#wanted === '') return 'all'
    for (; this.#seen < events.length; this.#seen += 1) {
      const event = events[this.#seen]
      if (event !== undefined && this.#matches(event)) this.#places.push(this.#seen)
    }
    return this.#places
  }

  #matches(event: RunEvent): boolean {
    return event.type.includes(this.#wanted) || eventWords(event).text.toLowerCase().includes(this.#wanted)
  }
}
