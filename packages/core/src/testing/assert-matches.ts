import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'

/** Some fields of an object and of the objects inside it; lists are whole. */
export type PartOf<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: PartOf<Value[Key]> | undefined }
    : Value

/**
 * Every field of `expected` is there and equal; other fields may be anything. A field that is expected as undefined must be absent.
 * @throws {AssertionError} with the whole of both
 */
export function assertMatches<Value>(actual: Value, expected: PartOf<Value>): void {
  const place = differs(actual, expected, '')
  if (place === undefined) return
  const message = `differs at ${place === '' ? 'the root' : place}\nexpected: ${show(expected)}\nactual: ${show(actual)}`
  throw new AssertionError({ message, actual, expected, operator: 'assertMatches' })
}

/** The first place where they differ. */
function differs(actual: unknown, expected: unknown, place: string): string | undefined {
  if (!isRecord(expected)) return isDeepStrictEqual(actual, expected) ? undefined : place
  if (!isRecord(actual)) return place
  for (const [key, value] of Object.entries(expected)) {
    const found = differs(actual[key], value, place === '' ? key : `${place}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}
