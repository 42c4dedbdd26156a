/** Rules from parts that nobody has looked at yet: the one place where rule files, typed rules and configuration meet. */
import { quoted, RuleFault } from '../rule-fault.ts'
import type { HostExecutable, NetworkRule, PathRule, PrefixRule, RuleSource } from '../rule.ts'
import { absolutePath, baseName, isAbsolute } from './absolute-path.ts'
import { predicateOf } from './argument-predicate.ts'
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
  const overridesFloor = flagOf(parts['overridesFloor'], 'overridesFloor') === true
  if (overridesFloor && decision !== 'allow')
    throw new RuleFault(`overridesFloor is for rules that allow, not for one that says ${quoted(decision)}`)
  return {
    kind: 'prefix',
    pattern: patternOf(parts['pattern']),
    decision,
    ...(justification === undefined ? {} : { justification }),
    source,
    match: examplesOf(parts['match'], 'match'),
    notMatch: examplesOf(parts['notMatch'], 'notMatch'),
    ...(except === undefined ? {} : { except }),
    ...(skipOptions === undefined ? {} : { skipOptions }),
    ...(where === undefined ? {} : { where }),
    ...(overridesFloor ? { overridesFloor } : {}),
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
    ...(justification === undefined ? {} : { justification }),
    source,
  }
}

/** @throws RuleFault */
export function makeHostExecutable(parts: Parts, source: RuleSource): HostExecutable {
  const { name, paths } = parts
  if (typeof name !== 'string') throw new RuleFault(`name must be a string, not ${quoted(name)}`)
  if (name === '' || name === '.' || name === '..' || name.includes('/'))
    throw new RuleFault(`name must be the bare name of a program, not ${quoted(name)}`)
  if (!Array.isArray(paths)) throw new RuleFault(`paths must be a list, not ${quoted(paths)}`)
  const absolute = paths.map((path: unknown) => executablePath(path, name))
  return { kind: 'host-executable', name, paths: [...new Set(absolute)], source }
}

function executablePath(path: unknown, name: string): string {
  if (typeof path !== 'string' || !isAbsolute(path))
    throw new RuleFault(`paths must be absolute paths, not ${quoted(path)}`)
  const resolved = absolutePath(path, { folder: '/' })
  if (baseName(resolved) !== name)
    throw new RuleFault(`path ${quoted(path)} must end in the name ${quoted(name)}`)
  return resolved
}

/** @throws RuleFault */
export function makePathRule(parts: Parts, source: RuleSource): PathRule {
  const { paths } = parts
  if (!Array.isArray(paths) || paths.length === 0)
    throw new RuleFault(`paths must be a list of globs that is not empty, not ${quoted(paths)}`)
  const justification = justificationOf(parts['justification'])
  return {
    kind: 'path',
    paths: paths.map((path: unknown) => {
      if (typeof path !== 'string' || path === '')
        throw new RuleFault(`paths must be globs, not ${quoted(path)}`)
      return path
    }),
    decision: decisionFrom(parts['decision']),
    ...(justification === undefined ? {} : { justification }),
    source,
  }
}

function exceptionsOf(value: unknown): PrefixRule['except'] {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw new RuleFault(`except must be a list of patterns, not ${quoted(value)}`)
  return value.map((pattern: unknown) => patternOf(pattern, 'except'))
}

function flagOf(value: unknown, name: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  throw new RuleFault(`${name} must be true or false, not ${quoted(value)}`)
}
