/** `prefix_rule`, `network_rule` and `host_executable` as functions of a rule file. */
import { makeHostExecutable, makeNetworkRule, makePrefixRule, type Parts } from './builders/make-rule.ts'
import { RuleFault } from './rule-fault.ts'
import type { PolicyRule, RuleSource } from './rule.ts'
import type { Call } from './starlark/read-calls.ts'
import { SourceFault } from './starlark/source-fault.ts'
import { typeOf, type Value } from './starlark/value.ts'

type Wanted = 'string' | 'list' | 'bool'

interface RuleFunction {
  /** In their order, each with the type of its value. */
  readonly parameters: Readonly<Record<string, Wanted>>
  readonly required: readonly string[]
  readonly make: (parts: Parts, source: RuleSource) => PolicyRule
}

const functions: Readonly<Record<string, RuleFunction>> = {
  prefix_rule: {
    parameters: {
      pattern: 'list',
      decision: 'string',
      match: 'list',
      not_match: 'list',
      justification: 'string',
      canonical_matching: 'bool',
    },
    required: ['pattern'],
    make: ({ not_match: notMatch, canonical_matching: isCanonical = false, ...parts }, source) => {
      if (isCanonical === true)
        throw new RuleFault("'canonical_matching = True' is not understood here: leave it out")
      return makePrefixRule({ ...parts, notMatch }, source)
    },
  },
  network_rule: {
    parameters: { host: 'string', protocol: 'string', decision: 'string', justification: 'string' },
    required: ['host', 'protocol', 'decision'],
    make: makeNetworkRule,
  },
  host_executable: {
    parameters: { name: 'string', paths: 'list' },
    required: ['name', 'paths'],
    make: makeHostExecutable,
  },
}

export const ruleFunctionNames: readonly string[] = Object.keys(functions)

/** @throws SourceFault */
export function ruleOfCall(call: Call, source: Omit<RuleSource, 'line'>): PolicyRule {
  const wanted = functions[call.name]
  if (wanted === undefined) throw new SourceFault(call, `'${call.name}' makes no rule`)
  const given = byParameter(call, Object.keys(wanted.parameters))
  for (const [name, value] of given) checkType(call, name, value, wanted.parameters[name])
  const missing = wanted.required.find((name) => !given.has(name))
  if (missing !== undefined) throw new SourceFault(call, `${call.name} wants '${missing}'`)
  try {
    return wanted.make(Object.fromEntries(given), { ...source, line: call.line })
  } catch (error) {
    throw error instanceof RuleFault ? new SourceFault(call, error.message) : error
  }
}

/** Values without a name belong to the first parameters. */
function byParameter(call: Call, parameters: readonly string[]): ReadonlyMap<string, Value> {
  const { values, named } = call
  if (values.length > parameters.length)
    throw new SourceFault(call, `${values.length} arguments where ${parameters.length} are wanted at most`)
  const given = new Map(values.map((value, index) => [parameters[index] ?? '', value]))
  for (const [name, value] of named) {
    if (!parameters.includes(name)) throw new SourceFault(call, `no parameter is named '${name}'`)
    if (given.has(name)) throw new SourceFault(call, `'${name}' is given twice`)
    given.set(name, value)
  }
  return given
}

function checkType(call: Call, name: string, value: Value, wanted: Wanted | undefined): void {
  const type = typeOf(value)
  if (type !== wanted) throw new SourceFault(call, `${name} must be a ${wanted ?? 'value'}, not a ${type}`)
}
