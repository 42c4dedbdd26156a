/** What a host tells, bounded: whatever it hands over, a record and what is remembered beside it stay small. */
import { isJsonList, sha256 } from '@donecheck/engine/base'
import type { JsonValue, ToolCall, ToolEffect } from '@donecheck/core/events'
import { recordedCall } from '@donecheck/engine/run'
import type { HostCall, HostEvent, HostAct } from '../../protocol/host/index.ts'
import type { SessionContext } from '../record/session-context.ts'

/** In characters. The cut ones have up to 100 more, in which it is said what is missing. */
export const maxPromptLength = 100_000
const maxMessageLength = 8_000
/** In characters, all in all. */
export const maxNameLength = 200

/** Replies, arguments and outputs are bounded where they become facts. */
export function boundEvent(event: HostEvent): HostEvent {
  switch (event.kind) {
    case 'prompted':
      return { ...event, prompt: boundText(event.prompt, maxPromptLength) }
    case 'tool-proposed':
    case 'tool-finished':
      return { ...event, call: boundedCall(event.call) }
    case 'replied':
      return { ...event, calls: event.calls.map(boundedCall) }
    case 'turn-failed':
      return { ...event, message: boundText(event.message, maxMessageLength) }
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
  if (name.length <= maxNameLength) return name
  const mark = `… sha256 ${sha256(name).slice(0, 32)}`
  return `${name.slice(0, maxNameLength - mark.length)}${mark}`
}

/** Of one text in the arguments, and of all of them together. */
const maxTextLength = 8_000
const maxArgumentsLength = 64_000

export function callOf({ callId, tool, args }: HostCall, { session, parts }: SessionContext): ToolCall {
  const name = callId === '' ? `call-${parts.ids.next()}` : callId
  return recordedCall({ callId: name, tool, args: boundedArguments(args) }, session)
}

/** The same after it has run. Of a host that gives calls no names, the oldest open one that asked for the same is meant. */
export function finishedCallOf(call: HostCall, context: SessionContext): ToolCall {
  const made = callOf(call, context)
  if (call.callId !== '') return made
  const isSame = (other: ToolCall) => other.tool === made.tool && other.argsDigest === made.argsDigest
  return context.memory.open.find((open) => isSame(open.call))?.call ?? made
}

export function effectOf({ kind }: HostAct): ToolEffect {
  switch (kind) {
    case 'read':
      return 'read'
    case 'write':
    case 'edit':
    case 'patch':
    case 'unreadable':
      return 'write'
    case 'command':
    case 'unknown':
      return 'execute'
  }
}

function boundedArguments(args: JsonValue): JsonValue {
  const bounded = boundedValue(args)
  const text = JSON.stringify(bounded)
  return text.length <= maxArgumentsLength ? bounded : boundText(text)
}

function boundedValue(value: JsonValue, depth = 0): JsonValue {
  if (typeof value === 'string') return boundText(value)
  // What is nested more deeply is cut where the call is recorded.
  if (typeof value !== 'object' || value === null || depth > 64) return value
  if (isJsonList(value)) return value.map((entry) => boundedValue(entry, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, boundedValue(entry, depth + 1)]),
  )
}

/** Both ends, with how much is missing and the digest of the whole: two texts that differ are never recorded as equal. */
export function boundText(text: string, longest = maxTextLength): string {
  if (text.length <= longest) return text
  const half = Math.floor(longest / 2)
  const digest = sha256(text).slice(0, 16)
  const missing = text.length - 2 * half
  return `${text.slice(0, half)}\n[… ${missing} characters left out, sha256 ${digest} of the whole …]\n${text.slice(-half)}`
}
