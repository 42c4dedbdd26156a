/** Words about what a user has written: what it was, and what was probably meant. */
import { closest, distance } from 'fastest-levenshtein'

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as it can stand in a sentence. */
export function shown(value: unknown): string {
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
  const near = closest(unknown, known)
  const isNear = distance(unknown, near) <= Math.max(2, Math.floor(unknown.length / 3))
  const way = isNear ? `did you mean "${near}"?` : `there are: ${known.join(', ')}`
  return `there is no ${what} "${unknown}" of loop detection; ${way}`
}
