/** What a judge is shown of an event, and what its quotes of it are looked up in: one text for both. */
import { harmless } from '@donecheck/core/base'
import type { Evidence, Verdict } from '@donecheck/core/verdicts'
import type { JsonValue, RunEvent, ToolCall } from '@donecheck/core/events'

/** Zero-width characters, soft hyphens, tags and the like: text that people do not see. */
const unseen = /[\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2065\uFEFF\u{E0000}-\u{E007F}]/gu

/** Nothing in it is hidden from a reader, or turns the direction of writing. */
export function visible(text: string): string {
  return harmless(text).replace(unseen, '\uFFFD')
}

/** Undefined: an event that tells a judge nothing. @param callOf the call with this id, where the record has it */
export function recordText(
  event: RunEvent,
  callOf: (callId: string) => ToolCall | undefined,
): string | undefined {
  switch (event.type) {
    case 'goal-set':
      return event.task
    case 'model-replied':
      return event.problem === undefined ? event.text : `${event.text}\n(${event.problem})`
    case 'model-failed':
      return event.failure.message
    case 'tool-returned':
      return `${callText(callOf(event.callId))}\n(${event.status === 'ok' ? 'succeeded' : event.status})\n${event.output}`
    case 'tool-refused':
      return `${callText(callOf(event.callId))}\n(refused by ${event.by}: ${event.reason})`
    case 'verdict-given':
      return verdictText(event.verdict)
    case 'turn-ended':
      return event.feedback
    default:
      return undefined
  }
}

function callText(call: ToolCall | undefined): string {
  return call === undefined ? 'a call' : `${call.tool} ${argumentsText(call.args)}`
}

/** One argument a line, so that what was written into a file can be read. */
function argumentsText(args: JsonValue): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return JSON.stringify(args)
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

/** Short: its reason, exit codes and counts. The output of a check stands in the feedback. */
export function verdictText({ verifier, status, qualifiers, reason, evidence }: Verdict): string {
  const words = qualifiers.length === 0 ? '' : ` (${qualifiers.join(', ')})`
  return [`${verifier}: ${status}${words}: ${reason}`, ...evidence.flatMap(evidenceText)].join('\n')
}

function evidenceText(evidence: Evidence): readonly string[] {
  if (evidence.kind === 'command')
    return [`$ ${evidence.command} (exit ${evidence.exitCode ?? evidence.signal ?? 'unknown'})`]
  if (evidence.kind !== 'tests') return []
  const { passed, failed, errored, skipped } = evidence.counts
  return [`${passed} passed, ${failed} failed, ${errored} errored, ${skipped} skipped`]
}
