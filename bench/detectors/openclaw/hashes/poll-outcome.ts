import type { PlainObject } from '../values.ts'

/** What of the result of `process` counts. Both profiles take the same fields. */
export function pollOutcome(action: 'poll' | 'log', details: PlainObject, text: string): PlainObject {
  const { status, exitCode, exitSignal } = details
  const ended = { action, status, exitCode: exitCode ?? null, exitSignal: exitSignal ?? null, text }
  if (action === 'poll') return { ...ended, aggregated: details['aggregated'] ?? null }
  return {
    ...ended,
    totalLines: details['totalLines'] ?? null,
    totalChars: details['totalChars'] ?? null,
    truncated: details['truncated'] ?? null,
  }
}
