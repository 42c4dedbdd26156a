import { UsageError } from '../errors.ts'
import { namePattern, type Matcher } from './match.ts'
import type { HookList } from './points.ts'
import { showValue } from './show-thrown.ts'

/**
 * @param what the hook, for a sentence
 * @throws UsageError for what can match nothing, or has no meaning in that list
 */
export function checkedMatcher(match: unknown, list: HookList, what: string): Matcher {
  if (match === undefined) return { kind: 'every' }
  if (list === 'lifecycle')
    throw new UsageError(`${what}: match has no meaning here, for there are no names; leave it out`)
  if (isFunction(match)) {
    if (list === 'tools') return { kind: 'predicate', test: match }
    throw new UsageError(`${what}: match must be names of verifiers, and is a function`)
  }
  const patterns: readonly unknown[] = Array.isArray(match) ? match : [match]
  if (patterns.length === 0)
    throw new UsageError(
      `${what}: match is an empty list, which matches nothing; leave it out for everything`,
    )
  const wrong = patterns.find((pattern) => !isPattern(pattern))
  if (patterns.every(isPattern)) return { kind: 'names', patterns: patterns.map(namePattern) }
  throw new UsageError(`${what}: match holds ${showValue(wrong)}; it must be a name or a regular expression`)
}

function isPattern(value: unknown): value is string | RegExp {
  return value instanceof RegExp || (typeof value === 'string' && value.trim() !== '')
}

function isFunction(value: unknown): value is (input: unknown) => unknown {
  return typeof value === 'function'
}
