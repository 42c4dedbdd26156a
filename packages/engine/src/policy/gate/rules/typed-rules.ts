/** Rules written in TypeScript or in a configuration file, with the checks of rule files. */
import { homedir } from 'node:os'
import { UsageError, assertKnownKeys, optionKeys } from '../../../base/index.ts'
import {
  makeHostExecutable,
  makePathRule,
  makePrefixRule,
  quoteValue,
  RuleFault,
  type Parts,
} from './make-rule.ts'
import { wrongExamples } from './match-prefix-rules.ts'
import type { HostExecutable, PathRule, PolicyRule, PrefixRule, RuleDecision, RuleSource } from './rule.ts'

/** A word, or words of which one must stand there. */
type PatternInput = readonly (string | readonly string[])[]

/** A line that is split as a shell would, or its words. */
type ExampleInput = string | readonly string[]

export interface PrefixRuleInput {
  readonly pattern: PatternInput
  /** Default: `allow`. */
  readonly decision?: RuleDecision
  readonly justification?: string
  readonly match?: readonly ExampleInput[]
  readonly notMatch?: readonly ExampleInput[]
  readonly skipOptions?: boolean
  /** Takes what it allows out of the built-in rules. */
  readonly overridesBuiltInRules?: boolean
}

const prefixRuleKeys = optionKeys<PrefixRuleInput>()(
  'pattern! decision justification match notMatch skipOptions overridesBuiltInRules',
)

export interface HostExecutableInput {
  readonly name: string
  readonly paths: readonly string[]
}

const hostExecutableKeys = optionKeys<HostExecutableInput>()('name! paths!')

export interface PathRuleInput {
  readonly paths: readonly string[]
  readonly decision: RuleDecision
  readonly justification?: string
}

const pathRuleKeys = optionKeys<PathRuleInput>()('paths! decision! justification')

const fromProgram: RuleSource = { layer: 'run' }

/** Commands that begin with a prefix. Its examples are checked at once. @throws UsageError that names the value */
export function prefixRule(input: PrefixRuleInput, source: RuleSource = fromProgram): PrefixRule {
  assertKnownKeys(input, prefixRuleKeys, 'prefixRule')
  const rule = makeRule('prefixRule', input, (parts) => makePrefixRule(parts, source))
  const [wrong] = wrongExamples([rule], [], { folder: process.cwd(), home: homedir() })
  if (wrong !== undefined) throw new UsageError(`prefixRule: ${wrong.problem}`)
  return rule
}

/** The paths at which a program may be found. @throws UsageError that names the value */
export function hostExecutable(input: HostExecutableInput, source: RuleSource = fromProgram): HostExecutable {
  assertKnownKeys(input, hostExecutableKeys, 'hostExecutable')
  return makeRule('hostExecutable', input, (parts) => makeHostExecutable(parts, source))
}

/** Files that are written. @throws UsageError that names the value */
export function pathRule(input: PathRuleInput, source: RuleSource = fromProgram): PathRule {
  assertKnownKeys(input, pathRuleKeys, 'pathRule')
  return makeRule('pathRule', input, (parts) => makePathRule(parts, source))
}

/** @throws UsageError that names the value */
export function makeRule<Rule extends PolicyRule>(
  name: string,
  input: object,
  build: (parts: Parts) => Rule,
): Rule {
  try {
    return build({ ...input })
  } catch (error) {
    if (error instanceof RuleFault) throw new UsageError(`${name}: ${error.message}`, { cause: error })
    throw error
  }
}

/** Where it stands: `[2]` is the third rule. */
interface InvalidRuleList {
  readonly kind: 'invalid'
  readonly problems: readonly string[]
}

type ParsedRules = { readonly kind: 'rules'; readonly rules: readonly PolicyRule[] } | InvalidRuleList

interface Shape {
  /** The key by which it is known. */
  readonly key: string
  readonly keys: readonly string[]
  readonly make: (parts: Parts, source: RuleSource) => PolicyRule
}

/** In the order in which they are tried: a host executable has paths too. */
const shapes: readonly Shape[] = [
  { key: 'pattern', keys: Object.keys(prefixRuleKeys), make: makePrefixRule },
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
