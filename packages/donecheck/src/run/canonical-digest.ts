import { createHash } from 'node:crypto'
import type { JsonValue } from '../events/index.ts'

/** SHA-256, hex, over JSON with sorted keys and no spaces: equal for equal values, whatever the order of keys. */
export function digestOf(value: JsonValue): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}

function canonical(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(',')}}`
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
