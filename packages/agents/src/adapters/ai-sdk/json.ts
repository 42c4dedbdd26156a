/** Values of a program as what a record can hold. */
import type { JsonValue } from '@donecheck/core/events'

/** What JSON cannot hold becomes text, so that nothing of a call is lost. */
export function toJson(value: unknown): JsonValue {
  try {
    return JSON.parse(JSON.stringify(value ?? null)) as JsonValue
  } catch {
    return String(value)
  }
}

/** For a model or a person to read. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.message
  if (value === undefined) return ''
  const json = toJson(value)
  return typeof json === 'string' ? json : JSON.stringify(json)
}
