/** What a call gives to the parameters of a function. */
import type { Machine } from './machine.ts'
import { byParameter } from './given.ts'
import type { FunctionValue, Given, Value } from './value.ts'

/** @throws SourceFault where something is missing, doubled or too much */
export function bindParameters(callee: FunctionValue, given: Given, machine: Machine): Map<string, Value> {
  const names = callee.definition.parameters.map(({ name }) => name)
  const bound = new Map(byParameter(given, names, machine))
  for (const name of names) {
    if (bound.has(name)) continue
    const otherwise = callee.defaults.get(name)
    if (otherwise === undefined)
      throw machine.fault(`nothing is given for '${name}' of '${callee.definition.name}'`)
    bound.set(name, otherwise)
  }
  return bound
}
