/** Whether the examples of rules are what their authors say. */
import type { Place } from '../builders/absolute-path.ts'
import type { PolicyRule, PrefixRule } from '../rule.ts'
import { matchPrefixRules, policyOf } from './match-prefix-rules.ts'

export interface WrongExample {
  readonly rule: PrefixRule
  readonly problem: string
}

/**
 * Each rule against its own examples, with programs given as paths looked up by their names; `hosts` says which paths
 * those may be. All wrong ones, of each rule `notMatch` first.
 */
export function wrongExamples(
  rules: readonly PolicyRule[],
  hosts: readonly PolicyRule[],
  place: Place,
): readonly WrongExample[] {
  const executables = hosts.filter(({ kind }) => kind === 'host-executable')
  return rules.flatMap((rule) => {
    if (rule.kind !== 'prefix' || rule.match.length + rule.notMatch.length === 0) return []
    const policy = policyOf([...executables, rule])
    const matches = (words: readonly string[]) =>
      matchPrefixRules(policy, words, { resolveHostExecutables: true, ...place }).length > 0
    const wrong = (words: readonly string[], problem: string) => ({
      rule,
      problem: `the example ${JSON.stringify(words)} ${problem}`,
    })
    return [
      ...rule.notMatch.filter(matches).map((words) => wrong(words, 'must not match, and does')),
      ...rule.match
        .filter((words) => !matches(words))
        .map((words) => wrong(words, 'must match, and does not')),
    ]
  })
}
