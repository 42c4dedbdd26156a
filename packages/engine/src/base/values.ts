import type { JsonValue } from '@donecheck/core/internal/base'
import type { z } from 'zod'
import { UsageError } from './errors.ts'

type Given<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** The fields that have a value: the others are left out, instead of standing there as undefined. */
export function given<Fields extends object>(fields: Fields): Given<Fields>
export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The value of a JSON text; undefined, which no JSON is, where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * What a person has written into a file.
 * @param names the file, as it was named, and the form that it must have
 * @throws {UsageError} that names the place in it; it quotes nothing of the file
 */
export function readJson<Value>(
  schema: z.ZodType<Value>,
  text: string,
  { file, form }: { readonly file: string; readonly form: string },
): Value {
  const parsed = schema.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.map(String).join('.') ?? ''
  throw new UsageError(
    `${file}${place === '' ? '' : `, ${place}`}: ${issue?.message ?? 'it is no JSON'}; the form is ${form}`,
  )
}

/** `Array.isArray` does not know of lists that cannot be changed. */
export function isJsonList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
