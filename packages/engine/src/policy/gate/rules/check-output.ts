/** The answer to one command in the form of `codex execpolicy check`. */
import { given } from '../../../base/index.ts'
import type { PrefixMatch, RuleDecision } from './rule.ts'
import { decisionOf } from './match/match-prefix-rules.ts'

export interface CheckOutput {
  readonly matchedRules: readonly { readonly prefixRuleMatch: CheckedMatch }[]
  /** Absent: no rule matched. */
  readonly decision?: RuleDecision
}

export interface CheckedMatch {
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
