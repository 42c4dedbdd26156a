/** The values of a rule file, and the functions and methods that it may call. */
import { type Position, RuleFault } from '../rule.ts'

/** `null` is None; numbers are integers; an array is a list, a map a dict. */
export type Value = null | boolean | number | string | Value[] | Tuple | Dict | Callable

export class Tuple {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    this.items = items
  }
}

export type Key = string | number | boolean | null
export type Dict = Map<Key, Value>

export interface Arguments {
  readonly values: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

export interface Callable {
  readonly call: (given: Arguments, at: Position) => Value
}

export function keyOf(value: Value, at: Position): Key {
  if (typeof value !== 'object' || value === null) return value
  throw new RuleFault(`a ${typeOf(value)} cannot be a key`, at)
}

export function typeOf(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'int'
  if (typeof value === 'string') return 'string'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Tuple) return 'tuple'
  return value instanceof Map ? 'dict' : 'function'
}

export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Tuple) return value.items.length > 0
  if (value instanceof Map) return value.size > 0
  return value !== null && value !== false && value !== 0 && value !== ''
}

export function itemsOf(value: Value, at: Position): readonly Value[] {
  if (Array.isArray(value)) return value
  if (value instanceof Tuple) return value.items
  if (value instanceof Map) return [...value.keys()]
  throw new RuleFault(`a ${typeOf(value)} has no items to go through`, at)
}

export function textOf(value: Value, isQuoted = false): string {
  const all = (items: readonly Value[]) => items.map((item) => textOf(item, true)).join(', ')
  if (typeof value === 'string') return isQuoted ? JSON.stringify(value) : value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${all(value)}]`
  if (value instanceof Tuple) return `(${all(value.items)}${value.items.length === 1 ? ',' : ''})`
  if (value instanceof Map)
    return `{${[...value].map(([key, held]) => `${textOf(key, true)}: ${textOf(held, true)}`).join(', ')}}`
  return value === null ? 'None' : typeof value === 'number' ? String(value) : '<function>'
}

export function isEqual(one: Value, other: Value): boolean {
  if (one === other) return true
  const isComparable = typeOf(one) === typeOf(other) && typeOf(one) !== 'function'
  return isComparable && textOf(one, true) === textOf(other, true)
}

/** @returns below 0 if `one` comes first */
export function compare(one: Value, other: Value, at: Position): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0
  throw new RuleFault(`a ${typeOf(one)} and a ${typeOf(other)} have no order`, at)
}

/** Undefined as a result: not understood with these arguments. */
type Function = (values: readonly Value[], at: Position) => Value | undefined

/** Functions that every rule file has. */
export const functions: Readonly<Record<string, Function>> = {
  len: ([value = null], at) => (typeof value === 'string' ? Array.from(value) : itemsOf(value, at)).length,
  str: ([value = null]) => textOf(value),
  list: ([value = []], at) => [...itemsOf(value, at)],
  tuple: ([value = []], at) => new Tuple(itemsOf(value, at)),
  enumerate: ([value = null], at) => itemsOf(value, at).map((item, index) => new Tuple([index, item])),
  sorted: ([value = null], at) => itemsOf(value, at).toSorted((one, other) => compare(one, other, at)),
  range: ([first, second], at) => {
    const [from, to] = second === undefined ? [0, first] : [first, second]
    if (typeof from !== 'number' || typeof to !== 'number') return undefined
    if (to - from > maxRange) throw new RuleFault(`values of more than ${maxRange} items`, at)
    return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
  },
  fail: (values, at) => {
    const words = values.map((value) => textOf(value)).join(' ')
    throw new RuleFault(`fail: ${words.slice(0, 200)}`, at)
  },
}

const maxRange = 100_000

type TextMethod = (text: string, first: string, second: Value | undefined) => Value | undefined

/** Methods of strings whose first argument is a string. */
const textMethods: Readonly<Record<string, TextMethod>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  strip: (text) => text.trim(),
  startswith: (text, first) => text.startsWith(first),
  endswith: (text, first) => text.endsWith(first),
  split: (text, first) =>
    first === '' ? text.split(/\s+/u).filter((word) => word !== '') : text.split(first),
  replace: (text, first, second) =>
    typeof second === 'string' && first !== '' ? text.replaceAll(first, () => second) : undefined,
}

/** @returns undefined if it is not understood */
export function callMethod(
  value: Value,
  name: string,
  [first = null, second]: readonly Value[],
  at: Position,
): Value | undefined {
  if (typeof value === 'string') {
    if (name === 'join')
      return itemsOf(first, at)
        .map((item) => textOf(item))
        .join(value)
    const isUnderstood = Object.hasOwn(textMethods, name) && (first === null || typeof first === 'string')
    return isUnderstood ? textMethods[name]?.(value, first ?? '', second) : undefined
  }
  if (Array.isArray(value)) {
    if (name === 'append') value.push(first)
    else if (name === 'extend') value.push(...itemsOf(first, at))
    else return undefined
    return null
  }
  if (!(value instanceof Map)) return undefined
  if (name === 'keys') return [...value.keys()]
  if (name === 'values') return [...value.values()]
  if (name === 'items') return [...value].map((pair) => new Tuple(pair))
  return name === 'get' ? (value.get(keyOf(first, at)) ?? second ?? null) : undefined
}
