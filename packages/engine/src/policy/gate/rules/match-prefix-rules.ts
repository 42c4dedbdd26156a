import { posix } from 'node:path'
import { gateSeverity } from '@donecheck/core/internal/events/gate'
import { behindOptions } from '../../../analysis/shell/index.ts'
import { assertKnownKeys, given, optionKeys } from '../../../base/index.ts'
import type { PolicyRule, PrefixRule, RuleDecision } from './rule.ts'

export interface PrefixMatch {
  readonly rule: PrefixRule
  readonly matchedPrefix: readonly string[]
  readonly wordIndexes: readonly number[]
  /** Set if the rule was found by the name of a program given as a path. */
  readonly resolvedProgram?: string
}

export interface Policy {
  readonly rules: readonly PolicyRule[]
  /** By possible first word. */
  readonly byProgram: ReadonlyMap<string, readonly PrefixRule[]>
  /** Allowed paths by program name; the last list wins. */
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
  /** Looks up a program path by name if no rule matches the path. */
  readonly resolveHostExecutables?: boolean
  /**
   * Unlisted paths keep `prompt` and `forbidden` rules of their name but lose `allow` rules. Strict rules
   * match despite options between words: `git -C . push` is `git push`.
   */
  readonly lookAlikes?: boolean
  /** Absolute; resolves relative paths. Default: `/`. */
  readonly folder?: string
  /** Absolute home folder. Default: `~` is an ordinary name. */
  readonly home?: string
}

const matchKeys = optionKeys<MatchOptions>()('resolveHostExecutables lookAlikes folder home')

/** All matching rules, in order. @param words null if known only at run time */
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

/** Output of `codex execpolicy check` for one command. */
export interface CheckOutput {
  readonly matchedRules: readonly { readonly prefixRuleMatch: CheckedMatch }[]
  /** Absent if no rule matched. */
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

/** Tests each rule against its examples. @param hosts where programs of examples may be */
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
