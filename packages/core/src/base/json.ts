import type { z } from 'zod'

/**
 * Canonical JSON after RFC 8785. Values that JSON cannot hold become what `JSON.stringify` makes of them; a
 * lone surrogate, which the RFC forbids, is escaped.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return primitive(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`
}

function primitive(value: unknown): string {
  return value === undefined ? 'null' : JSON.stringify(value)
}

/** The deeply read-only output type of a schema. */
export type Recorded<Schema extends z.ZodType> = Unchanging<z.output<Schema>>

/** Does not descend into JsonValue: a recursive type would never finish expanding. */
type Unchanging<Value> = [JsonValue] extends [Value]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
    : Value

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }
