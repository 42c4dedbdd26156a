import { patternText, sourceText } from '../decide/rule-matches.ts'
import { isTooGeneral } from '../rules/amend/propose-amendment.ts'
import { decisionOf, matchPrefixRules } from '../rules/match/match-prefix-rules.ts'
import { policyOf, type Policy } from '../rules/match/policy.ts'
import type { PolicyRule, PrefixRule } from '../rules/rule.ts'
import type { LintFinding, LintKind } from './lint-finding.ts'
import { floorObjection } from './against-floor.ts'
import { lintPathRules } from './path-rules.ts'
import { deadWord, passedBy } from './odd-words.ts'
import { isRepeated, shadowOf } from './shadows.ts'
import { expansions } from './expansions.ts'

/** What is wrong with rules that can all be read: in their order, those about paths last, each with where it stands. */
export function lintRules(rules: readonly PolicyRule[]): readonly LintFinding[] {
  const prefixRules = rules.filter((rule) => rule.kind === 'prefix')
  const policy = policyOf(rules)
  const ofPrefixes = prefixRules.flatMap((rule, index) => {
    const told = ofOthers(rule, prefixRules.slice(0, index), prefixRules)
    return [...told, ...ofItself(rule), ...ofExamples(rule, policy)].map(([kind, message]): LintFinding => ({
      kind,
      rule: `prefix_rule ${patternText(rule)}`,
      source: rule.source,
      message,
    }))
  })
  return [...ofPrefixes, ...lintPathRules(rules.filter((rule) => rule.kind === 'path'))]
}

type Told = readonly (readonly [LintKind, string])[]

function ofOthers(rule: PrefixRule, earlier: readonly PrefixRule[], all: readonly PrefixRule[]): Told {
  const same = earlier.find((other) => isRepeated(rule, other))
  if (same !== undefined) return [['duplicate', `it stands in ${sourceText(same.source)} already`]]
  const shadow = shadowOf(rule, all)
  if (shadow === undefined) return []
  const { decision, source } = shadow
  const message = `\`${patternText(shadow)}\` (${decision}, ${sourceText(source)}) decides wherever this one matches`
  return [['shadowed', message]]
}

function ofItself(rule: PrefixRule): Told {
  const dead = deadWord(rule)
  if (dead !== undefined) return [['never-matches', dead]]
  const told: (readonly [LintKind, string])[] = []
  const passed = passedBy(rule)
  if (passed !== undefined) told.push(['easily-passed', passed])
  const banned = rule.decision === 'allow' ? expansions(rule).find(isTooGeneral) : undefined
  if (banned !== undefined && rule.where === undefined)
    told.push(['allows-everything', `\`${banned.join(' ')}\` can run anything: allow what it should run`])
  const floor = floorObjection(rule)
  if (floor !== undefined) told.push(['floor', floor])
  return told
}

function ofExamples(rule: PrefixRule, policy: Policy): Told {
  return rule.match.flatMap((example): Told => {
    const decision = decisionOf(matchPrefixRules(policy, example, { resolveHostExecutables: true }))
    if (decision === rule.decision) return []
    const text = example.join(' ')
    return [
      [
        'contradictory-example',
        `its example \`${text}\` is ${decision ?? 'matched by no rule'}, for all rules together`,
      ],
    ]
  })
}
