/** Functions that every rule file has. */
import type { Meter } from './scope.ts'
import { SourceFault, type Position } from './source-fault.ts'
import { compare, Dict, isTrue, itemsOf, represent, textOf, Tuple, typeOf, type Arguments, type Callable, type Value } from './value.ts' // prettier-ignore

type Builtin = (values: readonly Value[], at: Position, named: ReadonlyMap<string, Value>) => Value

/** With their counted results. Where a value is left out, it is None. */
export function builtins(meter: Meter): readonly (readonly [string, Value])[] {
  const constants: readonly (readonly [string, Value])[] = [['True', true], ['False', false], ['None', null]] // prettier-ignore
  const made = Object.entries(functions).map(([name, run]): readonly [string, Value] => {
    const call = ({ values, named }: Arguments, at: Position): Value => {
      if (named.size > 0 && !takesNames.has(name))
        throw new SourceFault(at, `'${name}' takes no arguments with names here`)
      if (name === 'range') meter.reserve(rangeSize(values, at), at)
      return meter.made(run(values, at, named), at)
    }
    return [name, { kind: 'function', name, call } satisfies Callable]
  })
  return [...constants, ...made]
}

const takesNames = new Set(['dict', 'sorted', 'min', 'max'])

const functions: Readonly<Record<string, Builtin>> = {
  len: ([value = null], at) =>
    typeof value === 'string' ? Array.from(value).length : itemsOf(value, at).length,
  str: ([value = null]) => textOf(value),
  repr: ([value = null]) => represent(value),
  type: ([value = null]) => typeOf(value),
  bool: ([value = null]) => isTrue(value),
  int: ([value = null], at) => {
    if (typeof value === 'string' && /^[-+]?[0-9]{1,15}$/.test(value)) return Number(value)
    if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
    throw new SourceFault(at, `${represent(value).slice(0, 80)} is no whole number`)
  },
  list: ([value], at) => (value === undefined ? [] : [...itemsOf(value, at)]),
  tuple: ([value], at) => new Tuple(value === undefined ? [] : itemsOf(value, at)),
  dict: ([value], at, named) => {
    const made = new Dict()
    if (value instanceof Dict) for (const [key, entry] of value.entries.values()) made.set(key, entry, at)
    else if (value !== undefined)
      for (const pair of itemsOf(value, at)) {
        const [key, entry, more] = itemsOf(pair, at)
        if (key === undefined || entry === undefined || more !== undefined)
          throw new SourceFault(at, 'dict wants pairs')
        made.set(key, entry, at)
      }
    for (const [key, entry] of named) made.set(key, entry, at)
    return made
  },
  range: (values, at) => {
    const { from, step } = rangeOf(values, at)
    return Array.from({ length: rangeSize(values, at) }, (_, index) => from + index * step)
  },
  enumerate: ([value = null, from = 0], at) =>
    itemsOf(value, at).map((item, index) => new Tuple([Number(from) + index, item])),
  zip: (values, at) => {
    const lists = values.map((value) => itemsOf(value, at))
    const length = lists.length === 0 ? 0 : Math.min(...lists.map((list) => list.length))
    return Array.from({ length }, (_, index) => new Tuple(lists.map((list) => list[index] ?? null)))
  },
  reversed: ([value = null], at) => itemsOf(value, at).toReversed(),
  sorted: ([value = null], at, named) => {
    const sorted = itemsOf(value, at)
      .map((item) => ({ item, key: keyed(item, named, at) }))
      .sort((one, other) =>
        isTrue(named.get('reverse') ?? false)
          ? compare(other.key, one.key, at)
          : compare(one.key, other.key, at),
      )
    return sorted.map(({ item }) => item)
  },
  min: (values, at, named) => extreme(values, at, named, -1),
  max: (values, at, named) => extreme(values, at, named, 1),
  any: ([value = null], at) => itemsOf(value, at).some(isTrue),
  all: ([value = null], at) => itemsOf(value, at).every(isTrue),
  fail: (values, at) => {
    throw new SourceFault(at, `fail: ${values.map(textOf).join(' ').slice(0, 200)}`)
  },
}

function keyed(item: Value, named: ReadonlyMap<string, Value>, at: Position): Value {
  const key = named.get('key') ?? null
  if (key === null) return item
  if (typeof key !== 'object' || !('call' in key)) throw new SourceFault(at, 'key must be a function')
  return key.call({ values: [item], named: new Map() }, at)
}

function extreme(
  values: readonly Value[],
  at: Position,
  named: ReadonlyMap<string, Value>,
  sign: 1 | -1,
): Value {
  const [first = null] = values
  const items = values.length === 1 ? itemsOf(first, at) : values
  if (items.length === 0) throw new SourceFault(at, 'there is no item to choose from')
  return items.reduce((best, item) =>
    compare(keyed(item, named, at), keyed(best, named, at), at) * sign > 0 ? item : best,
  )
}

function rangeOf(
  values: readonly Value[],
  at: Position,
): { readonly from: number; readonly to: number; readonly step: number } {
  const [first, second, third = 1] = values
  const [from, to] = second === undefined ? [0, first] : [first, second]
  if (typeof from !== 'number' || typeof to !== 'number' || typeof third !== 'number' || third === 0)
    throw new SourceFault(at, 'range wants whole numbers, and a step that is not 0')
  return { from, to, step: third }
}

function rangeSize(values: readonly Value[], at: Position): number {
  const { from, to, step } = rangeOf(values, at)
  return Math.max(0, Math.ceil((to - from) / step))
}
