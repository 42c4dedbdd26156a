import { z } from 'zod'
import type { JsonValue } from '../../base/index.ts'

/** The value itself, not a copy: no key of it is lost, not even `__proto__`. */
export const json = z.custom<JsonValue>(isJson, 'not JSON')

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'object' && Object.values(value).every(isJson)
}
