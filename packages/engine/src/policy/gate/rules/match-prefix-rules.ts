/** Which prefix rules match a command of literal words, and what follows from them. */
import { posix } from 'node:path'
import { gateSeverity } from '@donecheck/core/gate'
import { assertKnownKeys, given, optionKeys } from '../../../base/index.ts'
import { matchPassingOptions } from './match-options.ts'
import { absolutePath, isPath, type Place } from './make-rule.ts'
import type { PolicyRule, PrefixMatch, PrefixRule, RuleDecision } from './rule.ts'

/** Rules in the form in which they are looked up. */
export interface Policy {
  /** All of them, in the order in which they were given. */
  readonly rules: readonly PolicyRule[]
  /** By each word that may stand first; a rule stands once for each time that its pattern names the word. */
  readonly byProgram: ReadonlyMap<string, readonly PrefixRule[]>
  /** The paths at which a program may be found; of two lists for a name the last one holds. */
  readonly hostPaths: ReadonlyMap<string, ReadonlySet<string>>
}

/** Builds the index once: looking up a command costs what the rules for its program cost. */
export function policyOf(rules: readonly PolicyRule[]): Policy {
  const byProgram = new Map<string, readonly PrefixRule[]>()
  for (const rule of rules.filter((one) => one.kind === 'prefix'))
    for (const program of rule.pattern[0]) byProgram.set(program, [...(byProgram.get(program) ?? []), rule])
  const hosts = rules.filter((rule) => rule.kind === 'host-executable')
  const hostPaths = new Map(hosts.map(({ name, paths }) => [name, new Set(paths)]))
  return { rules: [...rules], byProgram, hostPaths }
}

export interface MatchOptions extends Partial<Place> {
  /** A program given as a path is looked up by its name as well, where no rule matches the path itself. */
  readonly resolveHostExecutables?: boolean
  /**
   * Includes `resolveHostExecutables`, and is stricter with paths: a path that no `host_executable` lists keeps the `prompt`
   * and `forbidden` rules of its name and loses its `allow` rules; a rule for the path itself hides none of them.
   * Rules that ask or forbid match with options between their words: `git -C . push` is a `git push`.
   */
  readonly lookAlikes?: boolean
}

const matchKeys = optionKeys<MatchOptions>()('resolveHostExecutables lookAlikes folder home')

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
  const passesOptions = options.lookAlikes === true
  const direct = matchesOf(policy.byProgram.get(program), words, { passesOptions })
  const resolves = options.resolveHostExecutables === true || options.lookAlikes === true
  if (!resolves || !isPath(program)) return direct
  if (direct.length > 0 && options.lookAlikes !== true) return direct
  const byName = matchesByName(policy, words, program, options)
  return direct.length === 0 ? byName : [...direct, ...byName.filter(({ rule }) => rule.decision !== 'allow')]
}

/** The most severe decision; undefined where no rule matches. */
function decisionOf(matches: readonly PrefixMatch[]): RuleDecision | undefined {
  const decisions = matches.map(({ rule }) => rule.decision)
  return decisions.toSorted((one, other) => gateSeverity[other] - gateSeverity[one])[0]
}

function matchesByName(
  policy: Policy,
  words: readonly string[],
  program: string,
  options: MatchOptions,
): readonly PrefixMatch[] {
  const { folder = '/', home } = options
  const resolvedProgram = absolutePath(program, { folder, ...given({ home }) })
  const name = posix.basename(resolvedProgram)
  const rules = policy.byProgram.get(name)
  if (name === '' || rules === undefined) return []
  const listed = policy.hostPaths.get(name)
  const isListed = listed?.has(resolvedProgram) === true
  const named = [name, ...words.slice(1)]
  if (options.lookAlikes === true && !isListed)
    return matchesOf(
      rules.filter(({ decision }) => decision !== 'allow'),
      named,
      { resolvedProgram, passesOptions: true },
    )
  return listed === undefined || isListed
    ? matchesOf(rules, named, { resolvedProgram, passesOptions: options.lookAlikes === true })
    : []
}

function matchesOf(
  rules: readonly PrefixRule[] | undefined,
  words: readonly string[],
  how: {
    readonly resolvedProgram?: string
    /** A rule that asks or forbids also means its words with options between them. */
    readonly passesOptions: boolean
  },
): readonly PrefixMatch[] {
  if (rules === undefined) return []
  const { resolvedProgram, passesOptions } = how
  const matches: PrefixMatch[] = []
  for (const rule of rules) {
    const wordIndexes = matchRule(rule, words, passesOptions)
    if (wordIndexes === undefined) continue
    const matchedPrefix = wordIndexes.map((index) => words[index] ?? '')
    matches.push({ rule, matchedPrefix, wordIndexes, ...given({ resolvedProgram }) })
  }
  return matches
}

/** @returns the indexes of the words that matched the prefix; undefined if the rule does not match */
function matchRule(
  { pattern, decision, skipOptions }: PrefixRule,
  words: readonly string[],
  passesOptions: boolean,
): readonly number[] | undefined {
  const isPermission = decision === 'allow'
  if (skipOptions === true || (passesOptions && !isPermission))
    return matchPassingOptions(pattern, words, isPermission ? 'no-match' : 'match')
  if (words.length < pattern.length) return undefined
  for (let index = 0; index < pattern.length; index += 1)
    if (pattern[index]?.includes(words[index] ?? '') !== true) return undefined
  return pattern.map((_, index) => index)
}

/** The answer to one command in the form of `codex execpolicy check`. */
export interface CheckOutput {
  readonly matchedRules: readonly { readonly prefixRuleMatch: CheckedMatch }[]
  /** Absent: no rule matched. */
  readonly decision?: RuleDecision
}

interface CheckedMatch {
  readonly matchedPrefix: readonly string[]
  readonly decision: RuleDecision
  readonly resolvedProgram?: string
  readonly justification?: string
}

export function checkOutput(matches: readonly PrefixMatch[]): CheckOutput {
  return {
    matchedRules: matches.map((match) => ({ prefixRuleMatch: checkedMatch(match) })),
    ...given({ decision: decisionOf(matches) }),
  }
}

function checkedMatch({ rule, matchedPrefix, resolvedProgram }: PrefixMatch): CheckedMatch {
  const { decision, justification } = rule
  return { matchedPrefix, decision, ...given({ resolvedProgram, justification }) }
}

interface WrongExample {
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
