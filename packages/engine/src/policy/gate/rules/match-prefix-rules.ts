/** Which prefix rules match a command, and what follows from them. */
import { posix } from 'node:path'
import { gateSeverity } from '@donecheck/core/internal/events/gate'
import { behindOptions } from '../../../analysis/shell/index.ts'
import { assertKnownKeys, given, optionKeys } from '../../../base/index.ts'
import type { PolicyRule, PrefixRule, RuleDecision } from './rule.ts'

/** A rule that matched a command. */
export interface PrefixMatch {
  readonly rule: PrefixRule
  /** The words of the command that the prefix stands for. */
  readonly matchedPrefix: readonly string[]
  readonly wordIndexes: readonly number[]
  /** Where the rule was found by the name of a program that was given as a path. */
  readonly resolvedProgram?: string
}

/** Rules, ready to be looked up. */
export interface Policy {
  /** In the order in which they were given. */
  readonly rules: readonly PolicyRule[]
  /** By each word that may stand first. */
  readonly byProgram: ReadonlyMap<string, readonly PrefixRule[]>
  /** The paths at which a program may be found; of two lists for a name the last one holds. */
  readonly hostPaths: ReadonlyMap<string, ReadonlySet<string>>
}

export function policyOf(rules: readonly PolicyRule[]): Policy {
  const byProgram = new Map<string, readonly PrefixRule[]>()
  for (const rule of rules.filter((one) => one.kind === 'prefix'))
    for (const program of rule.pattern[0]) byProgram.set(program, [...(byProgram.get(program) ?? []), rule])
  const hosts = rules.filter((rule) => rule.kind === 'host-executable')
  const hostPaths = new Map(hosts.map(({ name, paths }) => [name, new Set(paths)]))
  return { rules: [...rules], byProgram, hostPaths }
}

export interface MatchOptions {
  /** A program given as a path is looked up by its name as well, where no rule matches the path itself. */
  readonly resolveHostExecutables?: boolean
  /**
   * Includes `resolveHostExecutables`, and is stricter: a path that no `host_executable` lists keeps the `prompt` and `forbidden`
   * rules of its name and loses its `allow` rules, a rule for the path itself hides none of them, and rules that ask or forbid
   * match with options between their words: `git -C . push` is a `git push`.
   */
  readonly lookAlikes?: boolean
  /** Absolute; from where relative paths are resolved. Default `/`. */
  readonly folder?: string
  /** Absolute; what `~` stands for. Default: `~` is a name like any other. */
  readonly home?: string
}

const matchKeys = optionKeys<MatchOptions>()('resolveHostExecutables lookAlikes folder home')

/** Every rule that matches, in the order of the rules. @param words null where only known when it runs */
export function matchPrefixRules(
  rules: Policy | readonly PolicyRule[],
  words: readonly (string | null)[],
  options: MatchOptions = {},
): readonly PrefixMatch[] {
  assertKnownKeys(options, matchKeys, 'matchPrefixRules')
  const { lookAlikes = false, resolveHostExecutables = lookAlikes, folder = '/', home } = options
  const policy = 'byProgram' in rules ? rules : policyOf(rules)
  const [program = null] = words
  if (program === null) return []
  const direct = matchesOf(policy.byProgram.get(program), words, lookAlikes)
  if (!resolveHostExecutables || !program.includes('/') || (direct.length > 0 && !lookAlikes)) return direct
  const isOfHome = home !== undefined && (program === '~' || program.startsWith('~/'))
  const resolvedProgram = isOfHome
    ? posix.resolve(home, `.${program.slice(1)}`)
    : posix.resolve(folder, program)
  const name = posix.basename(resolvedProgram)
  const listed = policy.hostPaths.get(name)
  const isListed = listed?.has(resolvedProgram) === true
  if (!lookAlikes && listed !== undefined && !isListed) return direct
  const mayAllow = direct.length === 0 && (isListed || !lookAlikes)
  const named = policy.byProgram.get(name)?.filter(({ decision }) => mayAllow || decision !== 'allow')
  const byName = matchesOf(named, [name, ...words.slice(1)], lookAlikes)
  return [...direct, ...byName.map((match) => ({ ...match, resolvedProgram }))]
}

function matchesOf(
  rules: readonly PrefixRule[] = [],
  words: readonly (string | null)[],
  passesOptions: boolean,
): readonly PrefixMatch[] {
  return rules.flatMap((rule) => {
    const { pattern, decision } = rule
    const wordIndexes =
      passesOptions && decision !== 'allow' ? withOptions(pattern, words) : asItStands(pattern, words)
    if (wordIndexes === undefined) return []
    return [{ rule, matchedPrefix: wordIndexes.map((index) => words[index] ?? ''), wordIndexes }]
  })
}

function withOptions(
  [, ...rest]: PrefixRule['pattern'],
  words: readonly (string | null)[],
): readonly number[] | undefined {
  const found = behindOptions(words, rest)
  return typeof found === 'object' ? [0, ...found] : undefined
}

function asItStands(
  pattern: PrefixRule['pattern'],
  words: readonly (string | null)[],
): readonly number[] | undefined {
  const isMatch = pattern.every((token, index) => {
    const word = words[index]
    return typeof word === 'string' && token.includes(word)
  })
  return isMatch ? pattern.map((_, index) => index) : undefined
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
  const decisions = matches.map(({ rule }) => rule.decision)
  const [decision] = decisions.toSorted((one, other) => gateSeverity[other] - gateSeverity[one])
  return {
    matchedRules: matches.map(({ rule, matchedPrefix, resolvedProgram }) => {
      const { decision: own, justification } = rule
      return {
        prefixRuleMatch: { matchedPrefix, decision: own, ...given({ resolvedProgram, justification }) },
      }
    }),
    ...given({ decision }),
  }
}

interface WrongExample {
  readonly rule: PrefixRule
  readonly problem: string
}

/** Each rule against its own examples. @param hosts where programs may be found that an example calls by a path */
export function wrongExamples(
  rules: readonly PolicyRule[],
  hosts: readonly PolicyRule[],
  place: Pick<MatchOptions, 'folder' | 'home'>,
): readonly WrongExample[] {
  const executables = hosts.filter(({ kind }) => kind === 'host-executable')
  return rules.flatMap((rule) => {
    if (rule.kind !== 'prefix' || rule.match.length + rule.notMatch.length === 0) return []
    const policy = policyOf([...executables, rule])
    const wrong = (examples: PrefixRule['match'], isWanted: boolean) =>
      examples
        .filter(
          (words) =>
            matchPrefixRules(policy, words, { resolveHostExecutables: true, ...place }).length > 0 !==
            isWanted,
        )
        .map((words) => {
          const problem = isWanted ? 'must match, and does not' : 'must not match, and does'
          return { rule, problem: `the example ${JSON.stringify(words)} ${problem}` }
        })
    return [...wrong(rule.notMatch, false), ...wrong(rule.match, true)]
  })
}
