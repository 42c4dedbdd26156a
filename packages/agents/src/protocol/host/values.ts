/** Parses agent data without a schema library, because a hook runs before every call and must load fast. */
import type { JsonValue } from '@donecheck/core/internal/events'

export type Payload = Readonly<Record<string, unknown>>

export function payloadOf(value: unknown): Payload | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const field: unknown = Reflect.get(value, name)
  return field
}

/** @returns undefined if the owner has no such method */
export function callMethod(owner: unknown, name: string, ...args: readonly unknown[]): unknown {
  const method = fieldOf(owner, name)
  if (typeof method !== 'function') return undefined
  const answer: unknown = Reflect.apply(method, owner, args)
  return answer
}

/** @returns the first of these fields that is a string */
export function textIn(value: unknown, ...names: readonly string[]): string | undefined {
  return names.map((name) => fieldOf(value, name)).find((field) => typeof field === 'string')
}

export function numberIn(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'number' && Number.isFinite(field) ? field : undefined
}

export function isTrueIn(value: unknown, name: string): boolean {
  return fieldOf(value, name) === true
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : []
}

export function recordsIn(value: unknown, name: string): readonly Payload[] {
  return listIn(value, name)
    .map(payloadOf)
    .filter((entry) => entry !== undefined)
}

/** Leaves out what JSON cannot hold, as `JSON.stringify` does. */
export function jsonValueOf(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map((entry: unknown) => jsonValueOf(entry))
  return Object.fromEntries(
    Object.entries(payloadOf(value) ?? {}).flatMap(([name, entry]) =>
      entry === undefined ? [] : [[name, jsonValueOf(entry)]],
    ),
  )
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

/** The texts of a message's content, which is one text or a list of parts. */
export function textOfContent(content: unknown, separator = ''): string {
  if (typeof content === 'string') return content
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  return parts
    .map((part) => (typeof part === 'string' ? part : (textIn(part, 'text') ?? '')))
    .filter((text) => text !== '')
    .join(separator)
}

/** Quotes a word for a POSIX shell. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
