/** An event as it is stored: one JSON text. What comes back out is trusted no more than any other unknown data. */
import { CorruptEventError } from '../errors.ts'
import { parseEvent, type ParsedEvent, type RunEvent } from '../events/index.ts'

export function eventText(event: RunEvent): string {
  return JSON.stringify(event)
}

/** @throws {CorruptEventError} when the text is no event, or the event of another place */
export function storedEvent(runId: string, sequence: number, text: string): RunEvent {
  const parsed = parseEventText(text)
  if (parsed.kind === 'invalid') throw new CorruptEventError(runId, sequence, parsed.problem)
  const { event } = parsed
  if (event.runId === runId && event.sequence === sequence) return event
  const problem = `what stands in its place is event ${event.sequence} of run ${event.runId}`
  throw new CorruptEventError(runId, sequence, problem)
}

/** Never throws: nesting that is too deep for the parser is a problem like any other. */
export function parseEventText(text: string): ParsedEvent {
  try {
    return parseEvent(JSON.parse(text))
  } catch (error) {
    return { kind: 'invalid', problem: error instanceof Error ? error.message : String(error) }
  }
}
