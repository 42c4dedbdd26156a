/** Which prefix rules match a command of literal words, and what follows from them. */
import { gateSeverity } from '../../../gate-kinds.ts'
import { absolutePath, baseName, isPath, type Place } from '../build/absolute-path.ts'
import type { PolicyRule, PrefixMatch, PrefixRule, RuleDecision } from '../rule.ts'
import { matchRule } from './match-rule.ts'
import { policyOf, type Policy } from './policy.ts'
import { assertKnownKeys, type OptionKeys } from '../../../option-keys.ts'

export interface MatchOptions extends Partial<Place> {
  /** A program given as a path is looked up by its name as well, where no rule matches the path itself. */
  readonly resolveHostExecutables?: boolean
  /**
   * Includes `resolveHostExecutables`, and is stricter with paths: a path that no `host_executable` lists keeps the `prompt`
   * and `forbidden` rules of its name and loses its `allow` rules and exceptions; a rule for the path itself hides none of them.
   */
  readonly lookAlikes?: boolean
}

const matchKeys: OptionKeys<MatchOptions> = {
  resolveHostExecutables: true,
  lookAlikes: true,
  folder: true,
  home: true,
}

/** Every rule that matches, in the order of the rules. `folder` is needed where relative paths are to be resolved; default `/`. */
export function matchPrefixRules(
  rules: Policy | readonly PolicyRule[],
  words: readonly string[],
  options: MatchOptions = {},
): readonly PrefixMatch[] {
  assertKnownKeys(options, matchKeys, 'matchPrefixRules')
  const policy = 'byProgram' in rules ? rules : policyOf(rules)
  const [program] = words
  if (program === undefined) return []
  const direct = matchesOf(policy.byProgram.get(program), words, {})
  const resolves = options.resolveHostExecutables === true || options.lookAlikes === true
  if (!resolves || !isPath(program)) return direct
  if (direct.length > 0 && options.lookAlikes !== true) return direct
  const byName = matchesByName(policy, words, program, options)
  return direct.length === 0 ? byName : [...direct, ...byName.filter(({ rule }) => rule.decision !== 'allow')]
}

/** The most severe decision; undefined where no rule matches. */
export function decisionOf(matches: readonly PrefixMatch[]): RuleDecision | undefined {
  return mostSevere(matches.map(({ rule }) => rule.decision))
}

export function mostSevere(decisions: readonly RuleDecision[]): RuleDecision | undefined {
  return decisions.reduce<RuleDecision | undefined>(
    (worst, decision) =>
      worst === undefined || gateSeverity[decision] > gateSeverity[worst] ? decision : worst,
    undefined,
  )
}

function matchesByName(
  policy: Policy,
  words: readonly string[],
  program: string,
  options: MatchOptions,
): readonly PrefixMatch[] {
  const { folder = '/', home } = options
  const resolvedProgram = absolutePath(program, home === undefined ? { folder } : { folder, home })
  const name = baseName(resolvedProgram)
  const rules = policy.byProgram.get(name)
  if (name === '' || rules === undefined) return []
  const listed = policy.hostPaths.get(name)
  const isListed = listed?.has(resolvedProgram) === true
  const named = [name, ...words.slice(1)]
  if (options.lookAlikes === true && !isListed)
    return matchesOf(
      rules.filter(({ decision }) => decision !== 'allow'),
      named,
      { resolvedProgram, withoutExceptions: true },
    )
  return listed === undefined || isListed ? matchesOf(rules, named, { resolvedProgram }) : []
}

function matchesOf(
  rules: readonly PrefixRule[] | undefined,
  words: readonly string[],
  how: { readonly resolvedProgram?: string; readonly withoutExceptions?: boolean },
): readonly PrefixMatch[] {
  if (rules === undefined) return []
  const { resolvedProgram, withoutExceptions = false } = how
  const matches: PrefixMatch[] = []
  for (const rule of rules) {
    const wordIndexes = matchRule(rule, words, withoutExceptions)
    if (wordIndexes === undefined) continue
    const matchedPrefix = wordIndexes.map((index) => words[index] ?? '')
    matches.push({
      rule,
      matchedPrefix,
      wordIndexes,
      ...(resolvedProgram === undefined ? {} : { resolvedProgram }),
    })
  }
  return matches
}
