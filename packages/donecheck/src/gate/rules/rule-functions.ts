/** `prefix_rule`, `network_rule` and `host_executable` as functions of a rule file. */
import { makeHostExecutable, makeNetworkRule, makePrefixRule, type Parts } from './build/make-rule.ts'
import { RuleFault } from './rule-fault.ts'
import type { PolicyRule, RuleSource } from './rule.ts'
import { builtIn } from './starlark/built-ins.ts'
import { byParameter } from './starlark/given.ts'
import type { Machine } from './starlark/machine.ts'
import { isKind, typeOf, type Value } from './starlark/value.ts'

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
      if (isCanonical === true) throw new RuleFault("'canonical_matching = True' is not understood here")
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

/** They give their rules to `keep`, in the order of the calls. */
export function ruleFunctions(
  machine: Machine,
  source: Omit<RuleSource, 'line'>,
  keep: (rule: PolicyRule) => void,
): ReadonlyMap<string, Value> {
  return new Map(
    Object.entries(functions).map(([name, { parameters, required, make }]) => [
      name,
      builtIn(name, (given, { line }) => {
        const found = byParameter(given, Object.keys(parameters), machine)
        const missing = required.find((parameter) => !found.has(parameter))
        if (missing !== undefined) throw machine.fault(`${name} wants '${missing}'`)
        const parts = [...found].map(([parameter, value]) => {
          checkType(parameter, value, parameters[parameter], machine)
          return [parameter, plain(value)] as const
        })
        keep(made(() => make(Object.fromEntries(parts), { ...source, line }), machine))
        return null
      }),
    ]),
  )
}

function made(make: () => PolicyRule, machine: Machine): PolicyRule {
  try {
    return make()
  } catch (error) {
    throw error instanceof RuleFault ? machine.fault(error.message) : error
  }
}

function checkType(name: string, value: Value, wanted: Wanted | undefined, machine: Machine): void {
  const type = typeOf(value)
  if (type !== wanted) throw machine.fault(`${name} must be a ${wanted ?? 'value'}, not a ${type}`)
}

/** Lists become arrays; what no rule can have becomes a text that names it. */
function plain(value: Value): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (isKind(value, 'list')) return value.items.map(innerPlain)
  return { [typeOf(value)]: true }
}

function innerPlain(value: Value): unknown {
  if (isKind(value, 'list'))
    return value.items.map((item) => (typeof item === 'string' ? item : { [typeOf(item)]: true }))
  return typeof value === 'string' ? value : { [typeOf(value)]: true }
}
