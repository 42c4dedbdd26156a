/** What a host tells, bounded: whatever it hands over, a record and what is remembered beside it stay small. */
import type { HostCall, HostEvent } from '../agents/index.ts'
import { sha256 } from '../sha256.ts'
import { boundedText } from './recorded-call.ts'

/** In characters. The cut ones have up to 100 more, in which it is said what is missing. */
export const longestPrompt = 100_000
export const longestMessage = 8_000
/** In characters, all in all. */
export const longestName = 200

/** Replies, arguments and outputs are bounded where they become facts. */
export function boundedEvent(event: HostEvent): HostEvent {
  switch (event.kind) {
    case 'prompted':
      return { ...event, prompt: boundedText(event.prompt, longestPrompt) }
    case 'tool-proposed':
    case 'tool-finished':
      return { ...event, call: boundedCall(event.call) }
    case 'replied':
      return { ...event, calls: event.calls.map(boundedCall) }
    case 'turn-failed':
      return { ...event, message: boundedText(event.message, longestMessage) }
    case 'session-started':
    case 'stopping':
    case 'session-ended':
    case 'irrelevant':
      return event
  }
}

function boundedCall(call: HostCall): HostCall {
  return { ...call, callId: boundedName(call.callId), tool: boundedName(call.tool) }
}

/** Two names that differ are never cut to the same. */
function boundedName(name: string): string {
  if (name.length <= longestName) return name
  const mark = `… sha256 ${sha256(name).slice(0, 32)}`
  return `${name.slice(0, longestName - mark.length)}${mark}`
}
