/** Reading what an agent sends, without a schema library: a hook runs before every call of a tool, and loads as little as it can. */
import type { JsonValue } from '@donecheck/core/events'

export type Payload = Readonly<Record<string, unknown>>

/** Undefined for all that is no object. */
export function payloadOf(value: unknown): Payload | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** The first of the names that holds a text. */
export function textIn(payload: Payload | undefined, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = payload?.[name]
    if (typeof value === 'string') return value
  }
  return undefined
}

export function numberIn(payload: Payload, name: string): number | undefined {
  const value = payload[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function isTrueIn(payload: Payload, name: string): boolean {
  return payload[name] === true
}

/** Objects of a list; whatever else it holds is left out. */
export function listIn(payload: Payload, name: string): readonly Payload[] {
  const value = payload[name]
  if (!Array.isArray(value)) return []
  return value.map((entry: unknown) => payloadOf(entry)).filter((entry) => entry !== undefined)
}

/** What came from `JSON.parse` is nothing else; whatever is not is left out, as JSON would. */
export function jsonValueOf(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map((entry: unknown) => jsonValueOf(entry))
  const payload = payloadOf(value)
  if (payload === undefined) return null
  return Object.fromEntries(
    Object.entries(payload).flatMap(([name, entry]) =>
      entry === undefined ? [] : [[name, jsonValueOf(entry)]],
    ),
  )
}

/** As text, whatever it is. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
