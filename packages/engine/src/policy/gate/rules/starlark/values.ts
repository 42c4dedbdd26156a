import { type Position, RuleFault } from '../rule.ts'

/** `null` is None; numbers are integers; an array is a list. */
export type Value = null | boolean | number | string | Value[] | Tuple | Callable

export class Tuple {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    this.items = items
  }
}

export interface Arguments {
  readonly values: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

export interface Callable {
  readonly call: (given: Arguments, at: Position) => Value
}

export function typeOf(value: Value): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return value instanceof Tuple ? 'tuple' : 'function'
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' ? 'int' : 'bool'
}

export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value instanceof Tuple ? value.items.length > 0 : Boolean(value)
}

/** @throws {RuleFault} if it is not iterable */
export function itemsOf(value: Value, at: Position): readonly Value[] {
  if (Array.isArray(value)) return value
  if (value instanceof Tuple) return value.items
  throw new RuleFault(`a ${typeOf(value)} has no items to go through`, at)
}

export function textOf(value: Value, isQuoted = false): string {
  const all = (items: readonly Value[]) => items.map((item) => textOf(item, true)).join(', ')
  if (typeof value === 'string') return isQuoted ? JSON.stringify(value) : value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${all(value)}]`
  if (value instanceof Tuple) return `(${all(value.items)}${value.items.length === 1 ? ',' : ''})`
  return value === null ? 'None' : typeof value === 'number' ? String(value) : '<function>'
}

export function isEqual(one: Value, other: Value): boolean {
  if (one === other) return true
  const isComparable = typeOf(one) === typeOf(other) && typeOf(one) !== 'function'
  return isComparable && textOf(one, true) === textOf(other, true)
}

/** Returns undefined for arguments it does not accept. */
type Function = (values: readonly Value[], at: Position) => Value | undefined

const maxRange = 100_000

export const functions: Readonly<Record<string, Function>> = {
  len: ([value = null], at) => (typeof value === 'string' ? Array.from(value) : itemsOf(value, at)).length,
  str: ([value = null]) => textOf(value),
  list: ([value = []], at) => [...itemsOf(value, at)],
  range: ([end]) =>
    typeof end === 'number' && end <= maxRange ? Array.from({ length: end }, (_, index) => index) : undefined,
}

export const methods: Readonly<Record<string, (text: string, ...given: Parameters<Function>) => Value>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  split: (text, [separator]) =>
    typeof separator === 'string' && separator !== ''
      ? text.split(separator)
      : text.split(/\s+/u).filter((word) => word !== ''),
  join: (text, [items = null], at) =>
    itemsOf(items, at)
      .map((item) => textOf(item))
      .join(text),
  startswith: (text, [start]) => typeof start === 'string' && text.startsWith(start),
  endswith: (text, [end]) => typeof end === 'string' && text.endsWith(end),
}
