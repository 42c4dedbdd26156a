import type { z } from 'zod'

/**
 * One text for one value, after RFC 8785: keys sorted by their UTF-16 units, no spaces, numbers as ECMAScript writes
 * them. What JSON cannot hold is treated as `JSON.stringify` does: an undefined field is left out, NaN becomes null.
 * Half a surrogate pair, which the RFC forbids, is written as its escape.
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

/** What a schema lets in, as it is read: nothing of it changes. */
export type Recorded<Schema extends z.ZodType> = Unchanging<z.output<Schema>>

/** A place for any JSON is left as it is: a type that holds itself would never be read to its end. */
type Unchanging<Value> = [JsonValue] extends [Value]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
    : Value

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }
