/** An event as it is stored: one JSON text. What comes back out is trusted no more than any other unknown data. */
import { type ParsedEvent, parseEvent, type RunEvent } from '@donecheck/core/internal/events'
import { CorruptEventError, messageOf } from '../../base/index.ts'
import type { ReadableEvents } from '../../ports/store.ts'

export function eventText(event: RunEvent): string {
  return JSON.stringify(event)
}

/** @throws {CorruptEventError} if it is not the event of that run and sequence */
function parseStoredEvent(runId: string, sequence: number, text: string): RunEvent {
  const parsed = parseEventText(text)
  if (parsed.kind === 'invalid') throw new CorruptEventError(runId, sequence, parsed.problem)
  const { event } = parsed
  if (event.runId === runId && event.sequence === sequence) return event
  const problem = `what stands in its place is event ${event.sequence} of run ${event.runId}`
  throw new CorruptEventError(runId, sequence, problem)
}

/** @param texts in order; undefined if missing @param after sequence number before the first */
export function readableEvents(
  runId: string,
  texts: readonly (string | undefined)[],
  after = 0,
): ReadableEvents {
  const events: RunEvent[] = []
  for (const [index, text] of texts.entries())
    try {
      const sequence = after + index + 1
      if (text === undefined) throw new CorruptEventError(runId, sequence, 'it is missing from the store')
      events.push(parseStoredEvent(runId, sequence, text))
    } catch (error) {
      if (error instanceof CorruptEventError) return { events, problem: error }
      throw error
    }
  return { events, problem: undefined }
}

/** @throws {CorruptEventError} if any is unreadable */
export function wholeOf({ events, problem }: ReadableEvents): readonly RunEvent[] {
  if (problem !== undefined) throw problem
  return events
}

/** @throws {CorruptEventError} if the first is unreadable */
export function begunOf({ events, problem }: ReadableEvents): readonly RunEvent[] {
  if (problem !== undefined && events.length === 0) throw problem
  return events
}

/** Never throws: excessive nesting is a problem like any other. */
export function parseEventText(text: string): ParsedEvent {
  try {
    return parseEvent(JSON.parse(text))
  } catch (error) {
    return { kind: 'invalid', problem: messageOf(error) }
  }
}
