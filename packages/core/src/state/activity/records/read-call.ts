import { canonicalJson } from '../../../base/index.ts'
import type { JsonValue } from '../../../events/index.ts'
import { commandKeys } from '../arguments.ts'
import { momentaryParts } from '../texts/mask-volatile.ts'
import { textHash } from '../texts/text-hash.ts'

/** Arguments by which a call is told from others like it, and which say nothing of what it does. */
const volatileKeys =
  /^(?:attempt|attempts|try|retry|timestamp|ts|now|time|nonce|seed_id|(?:request|trace|span|call|correlation|idempotency|message|session|run|tool_?call)_?(?:id|key)|uuid)$/i

/** The moment and its marks, in a text that says what to do. Names with digits in them stay: they name things. */
const momentary = new RegExp([...momentaryParts, String.raw`\b\d{10,}\b`].join('|'), 'gi')
/** At the end of a text whose blanks are single. */
const momentComments = [' # #', ' ##']
/** Longer texts are contents, not commands: they are compared as they are. */
const maxCommandLength = 4000

/**
 * Equal for calls that mean the same: the order of keys, blanks, times, fresh ids and counted attempts say nothing.
 */
export function readCall(args: JsonValue): string {
  return textHash(canonicalJson(normaliseArguments(args)))
}

function normaliseArguments(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.length <= maxCommandLength ? command(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(normaliseArguments)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) =>
      isMark(entry) && volatileKeys.test(key) ? [] : [[key, normaliseArguments(entry)]],
    ),
  )
}

/** A command line or a program that is empty, and nothing beside it: nothing was asked, so no change of the work gives another answer. */
export function asksNothing(args: JsonValue): boolean {
  if (typeof args !== 'object' || args === null || isList(args)) return false
  const entries = Object.entries(args)
  const isEmpty = ([key, value]: (typeof entries)[number]) =>
    commandKeys.includes(key) && typeof value === 'string' && value.trim() === ''
  return entries.length > 0 && entries.every(isEmpty)
}

/** A number or a short word; what is under such a name and longer is meant. */
function isMark(value: JsonValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= 64)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function command(text: string): string {
  const masked = text.replace(momentary, '#')
  return withoutMomentComment(masked.replace(/\s+/g, ' ').trimEnd()).trim()
}

/** A comment that holds nothing but the moment. By hand: a pattern for it takes quadratic time on a text of blanks. */
function withoutMomentComment(text: string): string {
  const comment = momentComments.find((ending) => text.endsWith(ending))
  return comment === undefined ? text : text.slice(0, -comment.length)
}
