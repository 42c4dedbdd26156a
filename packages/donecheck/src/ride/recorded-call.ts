/** A call of the host's agent as it is recorded. An agent may hand over anything: what is too long for a record is cut. */
import type { JsonValue, ToolCall, ToolEffect } from '../events/index.ts'
import type { HostAct, HostCall } from '../agents/index.ts'
import { recordedCall } from '../run/index.ts'
import type { Place } from './place.ts'
import { sha256 } from '../sha256.ts'

/** Of one text in the arguments, and of all of them together. */
const longestText = 8_000
const longestArguments = 64_000

export function callOf({ callId, tool, args }: HostCall, { session, parts }: Place): ToolCall {
  const name = callId === '' ? `call-${parts.ids.next()}` : callId
  return recordedCall({ callId: name, tool, args: boundedArguments(args) }, session)
}

/** The same after it has run. Of a host that gives calls no names, the oldest open one that asked for the same is meant. */
export function finishedCallOf(call: HostCall, place: Place): ToolCall {
  const made = callOf(call, place)
  if (call.callId !== '') return made
  const isSame = (other: ToolCall) => other.tool === made.tool && other.argsDigest === made.argsDigest
  return place.memory.open.find((open) => isSame(open.call))?.call ?? made
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
  return text.length <= longestArguments ? bounded : boundedText(text)
}

function boundedValue(value: JsonValue, depth = 0): JsonValue {
  if (typeof value === 'string') return boundedText(value)
  // What is nested more deeply is cut where the call is recorded.
  if (typeof value !== 'object' || value === null || depth > 64) return value
  if (isList(value)) return value.map((entry) => boundedValue(entry, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, boundedValue(entry, depth + 1)]),
  )
}

/** Both ends, with how much is missing and the digest of the whole: two texts that differ are never recorded as equal. */
export function boundedText(text: string, longest = longestText): string {
  if (text.length <= longest) return text
  const half = Math.floor(longest / 2)
  const digest = sha256(text).slice(0, 16)
  const missing = text.length - 2 * half
  return `${text.slice(0, half)}\n[… ${missing} characters left out, sha256 ${digest} of the whole …]\n${text.slice(-half)}`
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
