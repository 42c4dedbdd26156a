import { canonicalJson } from '../../canonical-json.ts'
import { gateSeverity } from '../../gate-kinds.ts'
import type { PrefixRule } from '../rules/rule.ts'

/** Whether both say the same of the same commands. */
export function isRepeated(rule: PrefixRule, other: PrefixRule): boolean {
  return rule.decision === other.decision && canonicalJson(essence(rule)) === canonicalJson(essence(other))
}

function essence({ pattern, except, skipOptions, where, justification, overridesFloor }: PrefixRule): object {
  return {
    pattern: pattern.map((token) => [...new Set(token)].toSorted()),
    except: except ?? [],
    skipOptions: skipOptions ?? false,
    where: where ?? {},
    justification: justification ?? null,
    overridesFloor: overridesFloor ?? false,
  }
}

/** A rule that matches wherever this one does, and is at least as severe: without this one nothing would be decided otherwise. */
export function shadowOf(rule: PrefixRule, all: readonly PrefixRule[]): PrefixRule | undefined {
  return all.find(
    (other) => other !== rule && !isRepeated(rule, other) && isWider(other, rule) && decidesFor(other, rule),
  )
}

function decidesFor(other: PrefixRule, rule: PrefixRule): boolean {
  const more = gateSeverity[other.decision] - gateSeverity[rule.decision]
  if (more !== 0) return more > 0
  const tellsMore = rule.justification !== undefined && rule.justification !== other.justification
  return !tellsMore && rule.overridesFloor === other.overridesFloor
}

function isWider(other: PrefixRule, rule: PrefixRule): boolean {
  if (other.where !== undefined || other.except !== undefined) return false
  if (rule.skipOptions === true && other.skipOptions !== true) return false
  return (
    other.pattern.length <= rule.pattern.length &&
    other.pattern.every((token, index) => rule.pattern[index]?.every((word) => token.includes(word)) === true)
  )
}
