import type { JsonValue } from '@donecheck/core/internal/base'
import type { z } from 'zod'
import { UsageError } from './errors.ts'

type Given<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Drops undefined fields. */
export function given<Fields extends object>(fields: Fields): Given<Fields>
export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Parses JSON; returns undefined if invalid. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @param names file and expected form @throws {UsageError} with the location, quoting no content */
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

/** `Array.isArray` does not narrow readonly arrays. */
export function isJsonList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
