/** Rules in a configuration file: objects in the shape of the typed rules. */
import { homedir } from 'node:os'
import {
  makeHostExecutable,
  makeNetworkRule,
  makePathRule,
  makePrefixRule,
  type Parts,
} from './builders/make-rule.ts'
import { wrongExamples } from './match/check-examples.ts'
import { quoteValue, RuleFault } from './rule-fault.ts'
import type { PolicyRule, RuleSource } from './rule.ts'
import { hostExecutableKeys, pathRuleKeys, prefixRuleKeys } from './typed-rules.ts'

/** Where it stands: `[2]` is the third rule. */
export interface InvalidRuleList {
  readonly kind: 'invalid'
  readonly problems: readonly string[]
}

export type ParsedRules = { readonly kind: 'rules'; readonly rules: readonly PolicyRule[] } | InvalidRuleList

interface Shape {
  /** The key by which it is known. */
  readonly key: string
  readonly keys: readonly string[]
  readonly make: (parts: Parts, source: RuleSource) => PolicyRule
}

/** In the order in which they are tried: a host executable has paths too. */
const shapes: readonly Shape[] = [
  { key: 'pattern', keys: Object.keys(prefixRuleKeys), make: makePrefixRule },
  { key: 'host', keys: ['host', 'protocol', 'decision', 'justification'], make: makeNetworkRule },
  { key: 'name', keys: Object.keys(hostExecutableKeys), make: makeHostExecutable },
  { key: 'paths', keys: Object.keys(pathRuleKeys), make: makePathRule },
]

/** All rules, or all that is wrong with them. Never throws. */
export function parseRules(json: unknown, source: RuleSource): ParsedRules {
  if (!Array.isArray(json))
    return { kind: 'invalid', problems: [`rules must be a list, not ${quoteValue(json)}`] }
  const rules: PolicyRule[] = []
  const problems: string[] = []
  for (const [index, element] of json.entries()) {
    try {
      rules.push(parseRule(element, source))
    } catch (error) {
      problems.push(`rules[${index}]: ${error instanceof RuleFault ? error.message : String(error)}`)
    }
  }
  const wrong = wrongExamples(rules, rules, { folder: process.cwd(), home: homedir() })
  problems.push(...wrong.map(({ rule, problem }) => `rule ${quoteValue(rule.pattern)}: ${problem}`))
  return problems.length === 0 ? { kind: 'rules', rules } : { kind: 'invalid', problems }
}

function parseRule(element: unknown, source: RuleSource): PolicyRule {
  if (typeof element !== 'object' || element === null || Array.isArray(element))
    throw new RuleFault(`a rule must be an object, not ${quoteValue(element)}`)
  const parts: Parts = { ...element }
  const shape = shapes.find(({ key }) => Object.hasOwn(parts, key))
  if (shape === undefined)
    throw new RuleFault(
      `a rule must have one of ${shapes.map(({ key }) => key).join(', ')}: ${quoteValue(element)}`,
    )
  const unknown = Object.keys(parts).find((key) => !shape.keys.includes(key))
  if (unknown !== undefined)
    throw new RuleFault(
      `a rule with ${quoteValue(shape.key)} has no ${quoteValue(unknown)}; it has ${shape.keys.join(', ')}`,
    )
  return shape.make(parts, source)
}
