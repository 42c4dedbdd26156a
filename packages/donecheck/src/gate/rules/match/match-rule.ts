/** Whether one rule matches, with all that it may say beside its prefix. */
import type { Pattern } from '../build/rule-parts.ts'
import type { PrefixRule } from '../rule.ts'
import { argumentsMatch } from './arguments-match.ts'
import type { Doubt } from './doubt.ts'
import { matchPassingOptions } from './pass-over-options.ts'

/** The indexes of the words that matched the prefix; undefined where the rule does not match. */
export function matchRule(
  rule: PrefixRule,
  words: readonly string[],
  withoutExceptions = false,
): readonly number[] | undefined {
  const isPermission = rule.decision === 'allow'
  const doubt: Doubt = isPermission ? 'no-match' : 'match'
  const indexes = matchPattern(rule.pattern, words, rule, doubt)
  if (indexes === undefined) return undefined
  if (rule.where !== undefined && !argumentsMatch(rule.where, restOf(words, indexes), doubt)) return undefined
  if (rule.except === undefined || withoutExceptions) return indexes
  const exceptionDoubt: Doubt = isPermission ? 'match' : 'no-match'
  const isExcepted = rule.except.some(
    (pattern) => matchPattern(pattern, words, rule, exceptionDoubt) !== undefined,
  )
  return isExcepted ? undefined : indexes
}

function matchPattern(
  pattern: Pattern,
  words: readonly string[],
  { skipOptions = false }: PrefixRule,
  doubt: Doubt,
): readonly number[] | undefined {
  if (skipOptions) return matchPassingOptions(pattern, words, doubt)
  if (words.length < pattern.length) return undefined
  for (let index = 0; index < pattern.length; index += 1)
    if (pattern[index]?.includes(words[index] ?? '') !== true) return undefined
  return pattern.map((_, index) => index)
}

/** All words but the program and those that matched: options that were passed over are arguments too. */
function restOf(words: readonly string[], indexes: readonly number[]): readonly string[] {
  const matched = new Set(indexes)
  return words.filter((_, index) => !matched.has(index))
}
