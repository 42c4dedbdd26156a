/** Functions that every file has. */
import { compare } from './compare.ts'
import { byParameter, integerFrom, isDict, onlyValues } from './given.ts'
import { allItems, itemsOf } from './items.ts'
import type { Machine } from './machine.ts'
import { reprOf, strOf } from './text-of-value.ts'
import {
  isKind,
  isSequence,
  isTrue,
  listOf,
  tupleOf,
  typeOf,
  type BuiltInValue,
  type Given,
  type RangeValue,
  type Value,
} from './value.ts'

/** Calls a function of the file. */
export type Call = (callee: Value, given: Given) => Value

/** `True`, `False`, `None` and the functions. */
export function builtIns(machine: Machine, call: Call): ReadonlyMap<string, Value> {
  const functions: Readonly<Record<string, (given: Given) => Value>> = {
    len: (given) => lengthOf(one(given, machine), machine),
    str: (given) => strOf(one(given, machine), machine),
    repr: (given) => reprOf(one(given, machine), machine),
    type: (given) => typeOf(one(given, machine)),
    bool: (given) => isTrue(onlyValues(given, 0, 1, machine)[0] ?? null),
    list: (given) => listOf(optionalItems(given, machine)),
    tuple: (given) => tupleOf(optionalItems(given, machine)),
    range: (given) => rangeOf(given, machine),
    enumerate: (given) => enumerate(given, machine),
    zip: (given) => zip(given, machine),
    reversed: (given) => listOf([...allItems(one(given, machine), machine)].reverse()),
    any: (given) => [...itemsOf(one(given, machine), machine)].some(isTrue),
    all: (given) => [...itemsOf(one(given, machine), machine)].every(isTrue),
    sorted: (given) => sorted(given, machine, call),
    fail: (given) => {
      throw machine.fault(`fail: ${given.values.map((value) => strOf(value, machine)).join(' ')}`)
    },
  }
  const constants: readonly (readonly [string, Value])[] = [
    ['True', true],
    ['False', false],
    ['None', null],
  ]
  return new Map([
    ...constants,
    ...Object.entries(functions).map(([name, run]) => [name, builtIn(name, run)] as const),
  ])
}

export function builtIn(name: string, call: BuiltInValue['call']): BuiltInValue {
  return { kind: 'built-in', name, call }
}

function one(given: Given, machine: Machine): Value {
  return onlyValues(given, 1, 1, machine)[0] ?? null
}

function optionalItems(given: Given, machine: Machine): readonly Value[] {
  const [items] = onlyValues(given, 0, 1, machine)
  return items === undefined ? [] : allItems(items, machine)
}

/** Of a string in code points. */
function lengthOf(value: Value, machine: Machine): number {
  if (typeof value === 'string') {
    machine.make(value.length)
    return Array.from(value).length
  }
  if (isSequence(value)) return value.items.length
  if (isDict(value)) return value.entries.size
  if (isKind(value, 'range')) return value.length
  throw machine.fault(`a ${typeOf(value)} has no length`)
}

function rangeOf(given: Given, machine: Machine): RangeValue {
  const numbers = onlyValues(given, 1, 3, machine).map((value) =>
    integerFrom(value, 'a bound of a range', machine),
  )
  const [first = 0, second, step = 1] = numbers
  if (step === 0) throw machine.fault('the step of a range is 0')
  const [start, stop] = second === undefined ? [0, first] : [first, second]
  return { kind: 'range', start, stop, step, length: Math.max(0, Math.ceil((stop - start) / step)) }
}

function enumerate(given: Given, machine: Machine): Value {
  const found = byParameter(given, ['items', 'start'], machine)
  if (given.named.has('items') || !found.has('items'))
    throw machine.fault('enumerate wants something to run over')
  const start = found.has('start') ? integerFrom(found.get('start'), 'start', machine) : 0
  const items = allItems(found.get('items') ?? null, machine)
  return listOf(items.map((item, index) => tupleOf([start + index, item])))
}

/** As long as the shortest. */
function zip(given: Given, machine: Machine): Value {
  const columns = onlyValues(given, 0, 100, machine).map((value) => allItems(value, machine))
  const [first = []] = columns
  const length = columns.reduce((least, column) => Math.min(least, column.length), first.length)
  return listOf(
    first.slice(0, length).map((_, index) => tupleOf(columns.map((column) => column[index] ?? null))),
  )
}

/** Stable, also in reverse. */
function sorted(given: Given, machine: Machine, call: Call): Value {
  onlyValues({ values: given.values, named: new Map() }, 1, 1, machine)
  const found = byParameter(given, ['items', 'key', 'reverse'], machine)
  if (given.named.has('items')) throw machine.fault("no parameter is named 'items'")
  const reverse = found.get('reverse') ?? false
  if (typeof reverse !== 'boolean') throw machine.fault('reverse must be a bool')
  const key = found.get('key') ?? null
  const keyed = allItems(found.get('items') ?? null, machine).map((item) => ({
    item,
    key: key === null ? item : call(key, { values: [item], named: new Map() }),
  }))
  const order = (left: { readonly key: Value }, right: { readonly key: Value }) =>
    reverse ? compare(right.key, left.key, machine) : compare(left.key, right.key, machine)
  return listOf(keyed.sort(order).map(({ item }) => item))
}
