/** Rules as lines of a rule file. */
import { UsageError } from '../../../../base/index.ts'
import { makeNetworkRule, makePrefixRule } from '../builders/make-rule.ts'
import { quoteValue, RuleFault } from '../rule-fault.ts'
import type { NetworkRule, PolicyRule, RuleDecision } from '../rule.ts'

/** A rule that is kept in a file. */
export type AmendmentRule =
  | {
      readonly kind: 'prefix'
      readonly prefix: readonly string[]
      readonly decision: RuleDecision
      readonly justification?: string
    }
  | {
      readonly kind: 'network'
      readonly host: string
      readonly protocol: NetworkRule['protocol']
      readonly decision: RuleDecision
      readonly justification?: string
    }

/** Without a line end. @throws UsageError for what no rule can be */
export function ruleLine(rule: AmendmentRule): string {
  check(rule)
  const because = rule.justification === undefined ? '' : `, justification=${literal(rule.justification)}`
  if (rule.kind === 'prefix')
    return `prefix_rule(pattern=[${rule.prefix.map(literal).join(', ')}], decision="${rule.decision}"${because})`
  const decision = rule.decision === 'forbidden' ? 'deny' : rule.decision
  return `network_rule(host=${literal(rule.host)}, protocol="${rule.protocol}", decision="${decision}"${because})`
}

/** Whether a rule that stands in the file already says the same. */
export function says(known: PolicyRule, rule: AmendmentRule): boolean {
  if (known.kind === 'network')
    return (
      rule.kind === 'network' &&
      known.decision === rule.decision &&
      known.protocol === rule.protocol &&
      known.host === makeNetworkRule(rule, known.source).host
    )
  if (known.kind !== 'prefix' || rule.kind !== 'prefix') return false
  if (known.decision !== rule.decision || known.pattern.length !== rule.prefix.length) return false
  if (known.except !== undefined || known.where !== undefined) return false
  return known.pattern.every((token, index) => token.includes(rule.prefix[index] ?? ''))
}

function check(rule: AmendmentRule): void {
  const { kind, ...parts } = rule
  const texts = rule.kind === 'prefix' ? rule.prefix : [rule.host]
  const broken = [...texts, rule.justification ?? ''].find((text) => !text.isWellFormed())
  if (broken !== undefined)
    throw new UsageError(`${quoteValue(broken)} is no text and cannot be kept in a rule file`)
  try {
    if (rule.kind === 'network') makeNetworkRule(parts, { layer: 'user' })
    else
      makePrefixRule(
        { pattern: rule.prefix, decision: rule.decision, justification: rule.justification },
        { layer: 'user' },
      )
  } catch (error) {
    if (error instanceof RuleFault) throw new UsageError(`${kind} rule: ${error.message}`, { cause: error })
    throw error
  }
}

/** Quoted as JSON, which the language of rule files reads the same; other languages' line ends are written as escapes. */
function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (char) => {
    const code = char.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}
