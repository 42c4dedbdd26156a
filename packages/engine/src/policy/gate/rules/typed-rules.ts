/** Rules written in TypeScript, with the checks of rule files. */
import { homedir } from 'node:os'
import { UsageError, assertKnownKeys, optionKeys } from '../../../base/index.ts'
import { makeHostExecutable, makePathRule, makePrefixRule, type Parts } from './builders/make-rule.ts'
import { wrongExamples } from './match/check-examples.ts'
import { RuleFault } from './rule-fault.ts'
import type {
  ArgumentPredicate,
  HostExecutable,
  PathRule,
  PolicyRule,
  PrefixRule,
  RuleDecision,
  RuleSource,
} from './rule.ts'

/** A word, or words of which one must stand there. */
export type PatternInput = readonly (string | readonly string[])[]

/** A line that is split as a shell would, or its words. */
export type ExampleInput = string | readonly string[]

export interface PrefixRuleInput {
  readonly pattern: PatternInput
  /** Default: `allow`. */
  readonly decision?: RuleDecision
  readonly justification?: string
  readonly match?: readonly ExampleInput[]
  readonly notMatch?: readonly ExampleInput[]
  readonly except?: readonly PatternInput[]
  readonly skipOptions?: boolean
  readonly where?: ArgumentPredicate
  /** Takes what it allows out of the built-in rules. */
  readonly overridesBuiltInRules?: boolean
}

export const prefixRuleKeys = optionKeys<PrefixRuleInput>()(
  'pattern! decision justification match notMatch except skipOptions where overridesBuiltInRules',
)

export interface HostExecutableInput {
  readonly name: string
  readonly paths: readonly string[]
}

export const hostExecutableKeys = optionKeys<HostExecutableInput>()('name! paths!')

export interface PathRuleInput {
  readonly paths: readonly string[]
  readonly decision: RuleDecision
  readonly justification?: string
}

export const pathRuleKeys = optionKeys<PathRuleInput>()('paths! decision! justification')

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
