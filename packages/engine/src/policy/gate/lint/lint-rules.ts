import { patternText, sourceText } from '../decide/rule-matches.ts'
import { isTooGeneral } from '../rules/amend/propose-amendment.ts'
import { decisionOf, matchPrefixRules, policyOf, type Policy } from '../rules/match/match-prefix-rules.ts'
import {
  isOfPerson,
  type PolicyRule,
  type PrefixRule,
  type PathRule,
  type RuleSource,
} from '../rules/rule.ts'
import { deadWord, waysAround } from './odd-words.ts'
import { gateSeverity } from '@donecheck/core/gate'
import { canonicalJson } from '@donecheck/core/base'
import { matchBuiltInRules } from '../built-in-rules/match-built-in-rules.ts'

type LintKind =
  /** Another rule decides wherever this one matches. */
  | 'shadowed'
  | 'duplicate'
  /** No command has such words. */
  | 'never-matches'
  /** It matches less than it seems to. */
  | 'easily-passed'
  /** An example of this rule is decided otherwise by all rules together. */
  | 'contradictory-example'
  /** Whoever may run an interpreter may run everything. */
  | 'allows-everything'
  /** The built-in floor asks all the same, or the layer may not take anything out of it. */
  | 'built-in'

export interface LintFinding {
  readonly kind: LintKind
  /** Such as `prefix_rule git push`. */
  readonly rule: string
  readonly source: RuleSource
  /** One sentence that says what to do. */
  readonly message: string
}

/** What is wrong with rules that can all be read: in their order, those about paths last, each with where it stands. */
export function lintRules(rules: readonly PolicyRule[]): readonly LintFinding[] {
  const prefixRules = rules.filter((rule) => rule.kind === 'prefix')
  const policy = policyOf(rules)
  const ofPrefixes = prefixRules.flatMap((rule, index) => {
    const reported = ofOthers(rule, prefixRules.slice(0, index), prefixRules)
    return [...reported, ...ofItself(rule), ...ofExamples(rule, policy)].map(
      ([kind, message]): LintFinding => {
        return { kind, rule: `prefix_rule ${patternText(rule)}`, source: rule.source, message }
      },
    )
  })
  return [...ofPrefixes, ...lintPathRules(rules.filter((rule) => rule.kind === 'path'))]
}

type LintNotes = readonly (readonly [LintKind, string])[]

function ofOthers(rule: PrefixRule, earlier: readonly PrefixRule[], all: readonly PrefixRule[]): LintNotes {
  const same = earlier.find((other) => isRepeated(rule, other))
  if (same !== undefined) return [['duplicate', `it stands in ${sourceText(same.source)} already`]]
  const shadow = shadowOf(rule, all)
  if (shadow === undefined) return []
  const { decision, source } = shadow
  const message = `\`${patternText(shadow)}\` (${decision}, ${sourceText(source)}) decides wherever this one matches`
  return [['shadowed', message]]
}

function ofItself(rule: PrefixRule): LintNotes {
  const dead = deadWord(rule)
  if (dead !== undefined) return [['never-matches', dead]]
  const reported: (readonly [LintKind, string])[] = []
  const passed = waysAround(rule)
  if (passed !== undefined) reported.push(['easily-passed', passed])
  const banned = rule.decision === 'allow' ? expansions(rule).find(isTooGeneral) : undefined
  if (banned !== undefined && rule.where === undefined)
    reported.push(['allows-everything', `\`${banned.join(' ')}\` can run anything: allow what it should run`])
  const floor = builtInObjection(rule)
  if (floor !== undefined) reported.push(['built-in', floor])
  return reported
}

function ofExamples(rule: PrefixRule, policy: Policy): LintNotes {
  return rule.match.flatMap((example): LintNotes => {
    const decision = decisionOf(matchPrefixRules(policy, example, { resolveHostExecutables: true }))
    if (decision === rule.decision) return []
    const decided = `is ${decision ?? 'matched by no rule'}, for all rules together`
    return [['contradictory-example', `its example \`${example.join(' ')}\` ${decided}`]]
  })
}

/** Rules about the same globs, in whatever order these stand; of globs that only overlap nothing is said. */
function lintPathRules(rules: readonly PathRule[]): readonly LintFinding[] {
  return rules.flatMap((rule, index) => {
    const others = rules.filter((other) => other !== rule && globsOf(other) === globsOf(rule))
    const finding = (kind: LintKind, message: string): readonly LintFinding[] => [
      { kind, rule: `path_rule ${rule.paths.join(' ')}`, source: rule.source, message },
    ]
    const { decision, justification } = rule
    const same = others
      .filter((other) => rules.indexOf(other) < index)
      .find((other) => other.decision === decision && other.justification === justification)
    if (same !== undefined) return finding('duplicate', `it stands in ${sourceText(same.source)} already`)
    const shadow = others.find((other) => gateSeverity[other.decision] > gateSeverity[decision])
    if (shadow === undefined) return []
    const message = `the rule of the same files (${shadow.decision}, ${sourceText(shadow.source)}) decides wherever this one matches`
    return finding('shadowed', message)
  })
}

function globsOf({ paths }: PathRule): string {
  return JSON.stringify([...new Set(paths)].toSorted())
}

/** Any place: a prefix names no files. */
const anywhere = { workFolder: '/project', folder: '/project', homeFolder: null }

/** Why this permission is not what it seems to be. */
function builtInObjection(rule: PrefixRule): string | undefined {
  const { decision, overridesBuiltInRules = false, source } = rule
  if (decision !== 'allow') return undefined
  if (overridesBuiltInRules && !isOfPerson(source))
    return `rules of the layer ${source.layer} take nothing out of the built-in rules`
  for (const prefix of expansions(rule)) {
    const words = prefix.map((text) => ({ text, written: text, span: null }))
    const [match] = matchBuiltInRules(
      { words, span: null, through: [], isTransparent: false },
      anywhere,
    ).matches
    if (match === undefined) continue
    if (match.rule.severity === 'forbidden')
      return `a built-in rule forbids it in any case: ${match.rule.name}`
    if (!overridesBuiltInRules) return `a built-in rule asks all the same: ${match.rule.name}`
  }
  return undefined
}

const maxExpansions = 64

/** The prefixes of a rule, one for each choice of its alternatives; not more than can be looked at. */
function expansions({ pattern }: Pick<PrefixRule, 'pattern'>): readonly (readonly string[])[] {
  let found: readonly (readonly string[])[] = [[]]
  for (const token of pattern)
    found = found.flatMap((prefix) => token.map((word) => [...prefix, word])).slice(0, maxExpansions)
  return found
}

/** Whether both say the same of the same commands. */
function isRepeated(rule: PrefixRule, other: PrefixRule): boolean {
  return rule.decision === other.decision && canonicalJson(essence(rule)) === canonicalJson(essence(other))
}

function essence({
  pattern,
  except,
  skipOptions,
  where,
  justification,
  overridesBuiltInRules,
}: PrefixRule): object {
  return {
    pattern: pattern.map((token) => [...new Set(token)].toSorted()),
    except: except ?? [],
    skipOptions: skipOptions ?? false,
    where: where ?? {},
    justification: justification ?? null,
    overridesBuiltInRules: overridesBuiltInRules ?? false,
  }
}

/** A rule that matches wherever this one does, and is at least as severe: without this one nothing would be decided otherwise. */
function shadowOf(rule: PrefixRule, all: readonly PrefixRule[]): PrefixRule | undefined {
  return all.find(
    (other) => other !== rule && !isRepeated(rule, other) && isWider(other, rule) && decidesFor(other, rule),
  )
}

function decidesFor(other: PrefixRule, rule: PrefixRule): boolean {
  const more = gateSeverity[other.decision] - gateSeverity[rule.decision]
  if (more !== 0) return more > 0
  const tellsMore = rule.justification !== undefined && rule.justification !== other.justification
  return !tellsMore && rule.overridesBuiltInRules === other.overridesBuiltInRules
}

function isWider(other: PrefixRule, rule: PrefixRule): boolean {
  if (other.where !== undefined || other.except !== undefined) return false
  if (rule.skipOptions === true && other.skipOptions !== true) return false
  return (
    other.pattern.length <= rule.pattern.length &&
    other.pattern.every((token, index) => rule.pattern[index]?.every((word) => token.includes(word)) === true)
  )
}
