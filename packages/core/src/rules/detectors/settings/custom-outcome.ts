/** Words about what a user has written: what it was, and what was probably meant. */
import { nearest } from '../../../base/index.ts'

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as it can stand in a sentence. */
export function formatOutcome(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return `${value}`
  const hasJson = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'object'
  return hasJson ? JSON.stringify(value) : `a ${typeof value}`
}

/** @param what the names are names of, such as `detector` */
export function problemOfNames(
  what: string,
  names: readonly string[],
  known: readonly string[],
): string | undefined {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const near = nearest(unknown, known)
  const way = near === undefined ? `there are: ${known.join(', ')}` : `did you mean "${near}"?`
  return `there is no ${what} "${unknown}" of loop detection; ${way}`
}
