import type { JsonValue } from '@donecheck/core/events'

/** Deeper or larger arguments are no arguments. */
const maxDepth = 200
const maxParts = 100_000

export type JsonCopy =
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'invalid'; readonly problem: string }

/**
 * A copy in which every property was read once, so that what was looked at is what is used.
 * @throws whatever a getter or a proxy throws
 */
export function jsonCopy(value: unknown): JsonCopy {
  let parts = 0
  const problems: string[] = []

  function invalid(problem: string): null {
    problems.push(problem)
    return null
  }

  function copy(part: unknown, depth: number): JsonValue {
    parts += 1
    if (problems.length > 0) return null
    if (depth > maxDepth) return invalid('it is nested too deeply, or in itself')
    if (parts > maxParts) return invalid(`it has more than ${maxParts} parts`)
    if (part === null || typeof part === 'string' || typeof part === 'boolean') return part
    if (typeof part === 'number')
      return Number.isFinite(part) ? part + 0 : invalid(`${part} is no number of JSON`)
    if (typeof part !== 'object') return invalid(`a value of type ${typeof part} is no JSON`)
    if (Array.isArray(part)) return copyOfArray(part, depth)
    if (!isPlain(part)) return invalid('it holds an object that is more than data')
    return copyOfObject(part, depth)
  }

  function copyOfArray(array: readonly unknown[], depth: number): JsonValue {
    const { length } = array
    if (length > maxParts) return invalid(`it has more than ${maxParts} parts`)
    return Array.from({ length }, (_, index) => copy(array[index], depth + 1))
  }

  function copyOfObject(object: object, depth: number): JsonValue {
    // Defined and not assigned: a key may be called `__proto__`.
    const entries = Object.entries(object).filter(([, entry]) => entry !== undefined)
    return Object.fromEntries(entries.map(([key, entry]) => [key, copy(entry, depth + 1)]))
  }

  const copied = copy(value, 0)
  const [problem] = problems
  return problem === undefined ? { kind: 'json', value: copied } : { kind: 'invalid', problem }
}

/** Made by braces or without a prototype, in this or another realm. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null)
}
