/** Rules as lines of a rule file. */
import { UsageError } from '../../../../base/index.ts'
import { makePrefixRule } from '../builders/make-rule.ts'
import { quoteValue } from '../rule-fault.ts'
import type { PolicyRule, RuleDecision } from '../rule.ts'
import { makeRule } from '../typed-rules.ts'

/** A rule that is kept in a file. */
export interface AmendmentRule {
  readonly prefix: readonly string[]
  readonly decision: RuleDecision
}

/** Without a line end. @throws UsageError for what no rule can be */
export function ruleLine({ prefix, decision }: AmendmentRule): string {
  const broken = prefix.find((text) => !text.isWellFormed())
  if (broken !== undefined)
    throw new UsageError(`${quoteValue(broken)} is no text and cannot be kept in a rule file`)
  makeRule('prefix rule', { pattern: prefix, decision }, (parts) => makePrefixRule(parts, { layer: 'user' }))
  return `prefix_rule(pattern=[${prefix.map(literal).join(', ')}], decision="${decision}")`
}

/** Whether a rule that stands in the file already says the same. */
export function says(known: PolicyRule, { prefix, decision }: AmendmentRule): boolean {
  if (known.kind !== 'prefix' || known.decision !== decision) return false
  if (known.except !== undefined || known.where !== undefined) return false
  return (
    known.pattern.length === prefix.length &&
    known.pattern.every((token, index) => token.includes(prefix[index] ?? ''))
  )
}

/** Quoted as JSON, which the language of rule files reads the same; other languages' line ends are written as escapes. */
function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (char) => {
    const code = char.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}
