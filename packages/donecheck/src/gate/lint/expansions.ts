import type { PrefixRule } from '../rules/rule.ts'

const maxExpansions = 64

/** The prefixes of a rule, one for each choice of its alternatives; not more than can be looked at. */
export function expansions({ pattern }: Pick<PrefixRule, 'pattern'>): readonly (readonly string[])[] {
  let found: readonly (readonly string[])[] = [[]]
  for (const token of pattern)
    found = found.flatMap((prefix) => token.map((word) => [...prefix, word])).slice(0, maxExpansions)
  return found
}
