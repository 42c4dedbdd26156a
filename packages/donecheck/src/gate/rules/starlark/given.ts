/** What a call gives, taken apart for what is built in. */
import type { Machine } from './machine.ts'
import { isKind, typeOf, type DictValue, type Given, type ListValue, type Value } from './value.ts'

/** So many values and no names. @throws SourceFault */
export function onlyValues(given: Given, least: number, most: number, machine: Machine): readonly Value[] {
  const [name] = given.named.keys()
  if (name !== undefined) throw machine.fault(`no parameter is named '${name}'`)
  const { length } = given.values
  if (length < least || length > most)
    throw machine.fault(
      `${length} arguments where ${least === most ? least : `${least} to ${most}`} are wanted`,
    )
  return given.values
}

/** By name, in the order of the parameters, undefined where nothing is given. @throws SourceFault */
export function byParameter(
  given: Given,
  parameters: readonly string[],
  machine: Machine,
): ReadonlyMap<string, Value> {
  if (given.values.length > parameters.length)
    throw machine.fault(`${given.values.length} arguments where ${parameters.length} are wanted at most`)
  const found = new Map<string, Value>()
  for (const [index, value] of given.values.entries()) found.set(parameters[index] ?? '', value)
  for (const [name, value] of given.named) {
    if (!parameters.includes(name)) throw machine.fault(`no parameter is named '${name}'`)
    if (found.has(name)) throw machine.fault(`'${name}' is given twice`)
    found.set(name, value)
  }
  return found
}

export function textFrom(value: Value | undefined, name: string, machine: Machine): string {
  if (typeof value !== 'string') throw machine.fault(`${name} must be a string, not ${article(value)}`)
  return value
}

export function integerFrom(value: Value | undefined, name: string, machine: Machine): number {
  if (typeof value !== 'number') throw machine.fault(`${name} must be an int, not ${article(value)}`)
  return value
}

export function listFrom(value: Value | undefined, name: string, machine: Machine): ListValue {
  if (value === undefined || !isKind(value, 'list'))
    throw machine.fault(`${name} must be a list, not ${article(value)}`)
  return value
}

export const isDict = (value: Value): value is DictValue => isKind(value, 'dict')

const article = (value: Value | undefined) => (value === undefined ? 'nothing' : `a ${typeOf(value)}`)
