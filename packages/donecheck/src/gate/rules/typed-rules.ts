/** Rules written in TypeScript, with the checks of rule files. */
import { homedir } from 'node:os'
import { UsageError } from '../../errors.ts'
import {
  makeHostExecutable,
  makeNetworkRule,
  makePathRule,
  makePrefixRule,
  type Parts,
} from './build/make-rule.ts'
import { wrongExamples } from './match/check-examples.ts'
import { RuleFault } from './rule-fault.ts'
import type {
  ArgumentPredicate,
  HostExecutable,
  NetworkRule,
  PathRule,
  PolicyRule,
  PrefixRule,
  RuleDecision,
  RuleSource,
} from './rule.ts'
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'

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
  /** Takes what it allows out of the built-in floor. */
  readonly overridesFloor?: boolean
}

const prefixRuleKeys: OptionKeys<PrefixRuleInput> = {
  pattern: 'needed',
  decision: true,
  justification: true,
  match: true,
  notMatch: true,
  except: true,
  skipOptions: true,
  where: true,
  overridesFloor: true,
}

export interface NetworkRuleInput {
  readonly host: string
  readonly protocol: NetworkRule['protocol']
  readonly decision: RuleDecision | 'deny'
  readonly justification?: string
}

const networkRuleKeys: OptionKeys<NetworkRuleInput> = {
  host: 'needed',
  protocol: 'needed',
  decision: 'needed',
  justification: true,
}

export interface HostExecutableInput {
  readonly name: string
  readonly paths: readonly string[]
}

const hostExecutableKeys: OptionKeys<HostExecutableInput> = {
  name: 'needed',
  paths: 'needed',
}

export interface PathRuleInput {
  readonly paths: readonly string[]
  readonly decision: RuleDecision
  readonly justification?: string
}

const pathRuleKeys: OptionKeys<PathRuleInput> = {
  paths: 'needed',
  decision: 'needed',
  justification: true,
}

const fromProgram: RuleSource = { layer: 'run' }

/** Commands that begin with a prefix. Its examples are checked at once. @throws UsageError that names the value */
export function prefixRule(input: PrefixRuleInput, source: RuleSource = fromProgram): PrefixRule {
  assertKnownKeys(input, prefixRuleKeys, 'prefixRule')
  const rule = make('prefixRule', prefixKeys, input, (parts) => makePrefixRule(parts, source))
  const [wrong] = wrongExamples([rule], [], { folder: process.cwd(), home: homedir() })
  if (wrong !== undefined) throw new UsageError(`prefixRule: ${wrong.problem}`)
  return rule
}

/** @throws UsageError that names the value */
export function networkRule(input: NetworkRuleInput, source: RuleSource = fromProgram): NetworkRule {
  assertKnownKeys(input, networkRuleKeys, 'networkRule')
  return make('networkRule', networkKeys, input, (parts) => makeNetworkRule(parts, source))
}

/** The paths at which a program may be found. @throws UsageError that names the value */
export function hostExecutable(input: HostExecutableInput, source: RuleSource = fromProgram): HostExecutable {
  assertKnownKeys(input, hostExecutableKeys, 'hostExecutable')
  return make('hostExecutable', hostKeys, input, (parts) => makeHostExecutable(parts, source))
}

/** Files that are written. @throws UsageError that names the value */
export function pathRule(input: PathRuleInput, source: RuleSource = fromProgram): PathRule {
  assertKnownKeys(input, pathRuleKeys, 'pathRule')
  return make('pathRule', pathKeys, input, (parts) => makePathRule(parts, source))
}

export const prefixKeys = [
  'pattern',
  'decision',
  'justification',
  'match',
  'notMatch',
  'except',
  'skipOptions',
  'where',
  'overridesFloor',
] as const satisfies readonly (keyof PrefixRuleInput)[]
export const networkKeys = ['host', 'protocol', 'decision', 'justification'] as const
export const hostKeys = ['name', 'paths'] as const
export const pathKeys = ['paths', 'decision', 'justification'] as const

function make<Rule extends PolicyRule>(
  name: string,
  keys: readonly string[],
  input: object,
  build: (parts: Parts) => Rule,
): Rule {
  const unknown = Object.keys(input).find((key) => !keys.includes(key))
  if (unknown !== undefined) throw new UsageError(`${name} has no '${unknown}'; it has ${keys.join(', ')}`)
  try {
    return build({ ...input })
  } catch (error) {
    if (error instanceof RuleFault) throw new UsageError(`${name}: ${error.message}`, { cause: error })
    throw error
  }
}
