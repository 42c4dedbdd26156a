/** What facts are written with. */
import { z } from 'zod'
import type { JsonValue } from '../../base/index.ts'

/** One kind of fact: a past event, noun first. */
export function fact<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape })
}

/** The value itself, not a copy: no key of it is lost, not even `__proto__`. */
export const json = z.custom<JsonValue>(isJson, 'not JSON')

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'object' && Object.values(value).every(isJson)
}
