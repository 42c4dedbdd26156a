/** What stands behind a dot. */
import { hashOf } from './compare.ts'
import { onlyValues } from './given.ts'
import { allItems, checkChangeable } from './items.ts'
import type { Machine } from './machine.ts'
import { stringMethods } from './string-methods.ts'
import {
  isKind,
  listOf,
  tupleOf,
  typeOf,
  type DictValue,
  type Given,
  type ListValue,
  type Value,
} from './value.ts'

const listMethods: ReadonlyMap<string, (list: ListValue, given: Given, machine: Machine) => Value> = new Map([
  ['append', append],
  ['extend', extend],
])

const dictMethods: ReadonlyMap<string, (dict: DictValue, given: Given, machine: Machine) => Value> = new Map([
  ['get', get],
  ['items', listing((key, value) => tupleOf([key, value]))],
  ['keys', listing((key) => key)],
  ['values', listing((_, value) => value)],
])

/** A method of a value, ready to be called. @throws SourceFault */
export function attributeOf(object: Value, name: string, machine: Machine): Value {
  const method = methodOf(object, name, machine)
  if (method === undefined) throw machine.fault(`'.${name}' of a ${typeOf(object)} is not understood here`)
  return { kind: 'built-in', name, call: method }
}

function methodOf(object: Value, name: string, machine: Machine): ((given: Given) => Value) | undefined {
  if (typeof object === 'string') return bound(stringMethods.get(name), object, machine)
  if (isKind(object, 'list')) return bound(listMethods.get(name), object, machine)
  if (isKind(object, 'dict')) return bound(dictMethods.get(name), object, machine)
  return undefined
}

function bound<Self>(
  method: ((self: Self, given: Given, machine: Machine) => Value) | undefined,
  self: Self,
  machine: Machine,
): ((given: Given) => Value) | undefined {
  return method === undefined ? undefined : (given) => method(self, given, machine)
}

function append(list: ListValue, given: Given, machine: Machine): null {
  const [item] = onlyValues(given, 1, 1, machine)
  checkChangeable(list, machine)
  machine.make(1)
  list.items.push(item ?? null)
  return null
}

function extend(list: ListValue, given: Given, machine: Machine): null {
  const [items] = onlyValues(given, 1, 1, machine)
  const added = allItems(items ?? null, machine)
  checkChangeable(list, machine)
  for (const item of added) list.items.push(item)
  return null
}

function get(dict: DictValue, given: Given, machine: Machine): Value {
  const [key = null, otherwise = null] = onlyValues(given, 1, 2, machine)
  const entry = dict.entries.get(hashOf(key, machine))
  return entry === undefined ? otherwise : entry[1]
}

function listing(show: (key: Value, value: Value) => Value) {
  return (dict: DictValue, given: Given, machine: Machine): Value => {
    onlyValues(given, 0, 0, machine)
    machine.make(dict.entries.size)
    return listOf([...dict.entries.values()].map(([key, value]) => show(key, value)))
  }
}
