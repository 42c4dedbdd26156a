/** Rules from parts that nobody has looked at yet: the one place where rule files, typed rules and configuration meet. */
import { posix } from 'node:path'
import { given } from '../../../../base/index.ts'
import { quoteValue, RuleFault } from '../rule-fault.ts'
import type {
  HostExecutable,
  NetworkRule,
  PathRule,
  PrefixRule,
  RuleSource,
  ArgumentPredicate,
} from '../rule.ts'
import { absolutePath } from './absolute-path.ts'
import { hostFrom, networkDecisionFrom, protocolFrom } from './network-host.ts'
import { decisionFrom, examplesOf, justificationOf, patternOf } from './rule-parts.ts'

/** Anything at all under the names that it may have. */
export type Parts = Readonly<Record<string, unknown>>

/** @throws RuleFault */
export function makePrefixRule(parts: Parts, source: RuleSource): PrefixRule {
  const justification = justificationOf(parts['justification'])
  const skipOptions = flagOf(parts['skipOptions'], 'skipOptions')
  const where = predicateOf(parts['where'])
  const except = exceptionsOf(parts['except'])
  const decision = parts['decision'] === undefined ? 'allow' : decisionFrom(parts['decision'])
  const overridesBuiltInRules = flagOf(parts['overridesBuiltInRules'], 'overridesBuiltInRules') === true
  if (overridesBuiltInRules && decision !== 'allow')
    throw new RuleFault(
      `overridesBuiltInRules is for rules that allow, not for one that says ${quoteValue(decision)}`,
    )
  return {
    kind: 'prefix',
    pattern: patternOf(parts['pattern']),
    decision,
    ...given({ justification }),
    source,
    match: examplesOf(parts['match'], 'match'),
    notMatch: examplesOf(parts['notMatch'], 'notMatch'),
    ...given({ except, skipOptions, where }),
    ...(overridesBuiltInRules ? { overridesBuiltInRules } : {}),
  }
}

/** @throws RuleFault */
export function makeNetworkRule(parts: Parts, source: RuleSource): NetworkRule {
  const justification = justificationOf(parts['justification'])
  return {
    kind: 'network',
    protocol: protocolFrom(parts['protocol']),
    decision: networkDecisionFrom(parts['decision']),
    host: hostFrom(parts['host']),
    ...given({ justification }),
    source,
  }
}

/** @throws RuleFault */
export function makeHostExecutable(parts: Parts, source: RuleSource): HostExecutable {
  const { name, paths } = parts
  if (typeof name !== 'string') throw new RuleFault(`name must be a string, not ${quoteValue(name)}`)
  if (name === '' || name === '.' || name === '..' || name.includes('/'))
    throw new RuleFault(`name must be the bare name of a program, not ${quoteValue(name)}`)
  if (!Array.isArray(paths)) throw new RuleFault(`paths must be a list, not ${quoteValue(paths)}`)
  const absolute = paths.map((path: unknown) => executablePath(path, name))
  return { kind: 'host-executable', name, paths: [...new Set(absolute)], source }
}

function executablePath(path: unknown, name: string): string {
  if (typeof path !== 'string' || !posix.isAbsolute(path))
    throw new RuleFault(`paths must be absolute paths, not ${quoteValue(path)}`)
  const resolved = absolutePath(path, { folder: '/' })
  if (posix.basename(resolved) !== name)
    throw new RuleFault(`path ${quoteValue(path)} must end in the name ${quoteValue(name)}`)
  return resolved
}

/** @throws RuleFault */
export function makePathRule(parts: Parts, source: RuleSource): PathRule {
  const { paths } = parts
  if (!Array.isArray(paths) || paths.length === 0)
    throw new RuleFault(`paths must be a list of globs that is not empty, not ${quoteValue(paths)}`)
  const justification = justificationOf(parts['justification'])
  return {
    kind: 'path',
    paths: paths.map((path: unknown) => {
      if (typeof path !== 'string' || path === '')
        throw new RuleFault(`paths must be globs, not ${quoteValue(path)}`)
      return path
    }),
    decision: decisionFrom(parts['decision']),
    ...given({ justification }),
    source,
  }
}

function exceptionsOf(value: unknown): PrefixRule['except'] {
  if (value === undefined) return undefined
  if (!Array.isArray(value))
    throw new RuleFault(`except must be a list of patterns, not ${quoteValue(value)}`)
  return value.map((pattern: unknown) => patternOf(pattern, 'except'))
}

function flagOf(value: unknown, name: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  throw new RuleFault(`${name} must be true or false, not ${quoteValue(value)}`)
}

/** The conditions on the arguments behind a prefix, as they are written. */

const keys = ['hasOption', 'hasArgument', 'onlyOptions', 'onlyArguments'] as const

/** @throws RuleFault */
function predicateOf(value: unknown): ArgumentPredicate | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RuleFault(`where must be an object, not ${quoteValue(value)}`)
  const parts: Partial<Record<string, unknown>> = { ...value }
  const unknown = Object.keys(parts).find((key) => !keys.some((known) => known === key))
  if (unknown !== undefined)
    throw new RuleFault(`where has no ${quoteValue(unknown)}; it has ${keys.join(', ')}`)
  const hasOption = optionsOf(parts['hasOption'], 'hasOption')
  const onlyOptions = optionsOf(parts['onlyOptions'], 'onlyOptions')
  const hasArgument = globOf(parts['hasArgument'], 'hasArgument')
  const onlyArguments = globOf(parts['onlyArguments'], 'onlyArguments')
  if (hasOption?.length === 0) throw new RuleFault('where.hasOption must not be empty')
  if (Object.values(parts).every((part) => part === undefined))
    throw new RuleFault(`where must have one of ${keys.join(', ')}`)
  return given({ hasOption, hasArgument, onlyOptions, onlyArguments })
}

function optionsOf(value: unknown, name: string): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw new RuleFault(`where.${name} must be a list, not ${quoteValue(value)}`)
  return value.map((option: unknown) => {
    if (typeof option !== 'string' || !/^-[^=]/.test(option) || option === '--' || option.includes('='))
      throw new RuleFault(`where.${name} must have options such as --force in it, not ${quoteValue(option)}`)
    return option
  })
}

function globOf(value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '')
    throw new RuleFault(`where.${name} must be a glob, not ${quoteValue(value)}`)
  return value
}
