/** The values of a rule file, and the functions and methods that it may call. */
import { SourceFault, type Position } from './tokens.ts'

/** `null` is None; numbers are integers; an array is a list. */
export type Value = null | boolean | number | string | Value[] | Tuple | Dict | Callable

export class Tuple {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    this.items = items
  }
}

/** Values by their key. */
export class Dict {
  readonly entries = new Map<string | number | boolean | null, Value>()

  set(key: Value, value: Value, at: Position): void {
    this.entries.set(keyOf(key, at), value)
  }
}

export interface Arguments {
  readonly values: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

export interface Callable {
  readonly kind: 'function'
  readonly name: string
  readonly call: (given: Arguments, at: Position) => Value
}

export function keyOf(value: Value, at: Position): string | number | boolean | null {
  if (typeof value === 'object' && value !== null)
    throw new SourceFault(at, `a ${typeOf(value)} cannot be a key`)
  return value
}

export function typeOf(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'int'
  if (typeof value === 'string') return 'string'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Tuple) return 'tuple'
  return value instanceof Dict ? 'dict' : 'function'
}

export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Tuple) return value.items.length > 0
  if (value instanceof Dict) return value.entries.size > 0
  return value !== null && value !== false && value !== 0 && value !== ''
}

export function itemsOf(value: Value, at: Position): readonly Value[] {
  if (Array.isArray(value)) return value
  if (value instanceof Tuple) return value.items
  if (value instanceof Dict) return [...value.entries.keys()]
  throw new SourceFault(at, `a ${typeOf(value)} has no items to go through`)
}

function represent(value: Value): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map(represent).join(', ')}]`
  if (value instanceof Tuple)
    return `(${value.items.map(represent).join(', ')}${value.items.length === 1 ? ',' : ''})`
  if (value instanceof Dict)
    return `{${[...value.entries].map(([key, entry]) => `${represent(key)}: ${represent(entry)}`).join(', ')}}`
  return value.name
}

export function textOf(value: Value, isQuoted = false): string {
  return typeof value === 'string' && !isQuoted ? value : represent(value)
}

export function isEqual(one: Value, other: Value): boolean {
  return one === other || (typeOf(one) === typeOf(other) && represent(one) === represent(other))
}

/** @returns below 0 if `one` comes first */
export function compare(one: Value, other: Value, at: Position): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0
  throw new SourceFault(at, `a ${typeOf(one)} and a ${typeOf(other)} have no order`)
}

/** `%s`, `%d` and `%r` with the items of a tuple, or with one value. */
export function formatPercent(format: string, given: Value, at: Position): string {
  const values = given instanceof Tuple ? [...given.items] : [given]
  const text = format.replaceAll(/%(.?)/gs, (_, letter: string) => {
    if (letter === '%') return '%'
    if (!/^[sdr]$/.test(letter) || values.length === 0)
      throw new SourceFault(at, `'%${letter}' is not understood for this value`)
    return textOf(values.shift() ?? null, letter === 'r')
  })
  if (values.length > 0) throw new SourceFault(at, 'the format wants fewer values')
  return text
}

type Function = (values: readonly Value[], at: Position) => Value | undefined

/** Functions that every rule file has. `undefined` as a result: not understood with what is given. */
export const functions: Readonly<Record<string, Function>> = {
  len: ([value = null], at) => (typeof value === 'string' ? Array.from(value) : itemsOf(value, at)).length,
  str: ([value = null]) => textOf(value),
  list: ([value = []], at) => [...itemsOf(value, at)],
  tuple: ([value = []], at) => new Tuple(itemsOf(value, at)),
  enumerate: ([value = null], at) => itemsOf(value, at).map((item, index) => new Tuple([index, item])),
  zip: ([one = [], other = []], at) => {
    const second = itemsOf(other, at)
    return itemsOf(one, at)
      .slice(0, second.length)
      .map((item, index) => new Tuple([item, second[index] ?? null]))
  },
  reversed: ([value = null], at) => itemsOf(value, at).toReversed(),
  sorted: ([value = null], at) => itemsOf(value, at).toSorted((one, other) => compare(one, other, at)),
  range: ([first, second], at) => {
    const [from, to] = second === undefined ? [0, first] : [first, second]
    if (typeof from !== 'number' || typeof to !== 'number') return undefined
    if (to - from > maxRange) throw new SourceFault(at, `values of more than ${maxRange} items`)
    return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
  },
  fail: (values, at) => {
    throw new SourceFault(
      at,
      `fail: ${values
        .map((value) => textOf(value))
        .join(' ')
        .slice(0, 200)}`,
    )
  },
}

const maxRange = 100_000

type TextMethod = (text: string, first: string, second: Value | undefined) => Value | undefined

/** Methods of texts whose arguments are texts. */
const textMethods: Readonly<Record<string, TextMethod>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  strip: (text) => text.trim(),
  lstrip: (text) => text.trimStart(),
  rstrip: (text) => text.trimEnd(),
  removeprefix: (text, first) => (text.startsWith(first) ? text.slice(first.length) : text),
  removesuffix: (text, first) => (text.endsWith(first) ? text.slice(0, text.length - first.length) : text),
  startswith: (text, first) => text.startsWith(first),
  endswith: (text, first) => text.endsWith(first),
  split: (text, first) =>
    first === '' ? text.split(/\s+/u).filter((word) => word !== '') : text.split(first),
  splitlines: (text) => text.split('\n'),
  replace: (text, first, second) =>
    typeof second === 'string' && first !== '' ? text.replaceAll(first, () => second) : undefined,
  elems: (text) => Array.from(text),
}

/** @returns undefined if it is not understood */
export function callMethod(
  value: Value,
  name: string,
  { values, named }: Arguments,
  at: Position,
): Value | undefined {
  const [first = null, second] = values
  if (typeof value === 'string') {
    if (name === 'format') return formatted(value, values, named, at)
    if (name === 'join')
      return itemsOf(first, at)
        .map((item) => textOf(item))
        .join(value)
    const isTexts = first instanceof Tuple && /^(?:starts|ends)with$/.test(name)
    if (isTexts)
      return first.items.some((item) => textMethods[name]?.(value, textOf(item), undefined) === true)
    const isUnderstood = Object.hasOwn(textMethods, name) && (first === null || typeof first === 'string')
    return isUnderstood ? textMethods[name]?.(value, first ?? '', second) : undefined
  }
  if (Array.isArray(value)) {
    if (name === 'append') value.push(first)
    else if (name === 'extend') value.push(...itemsOf(first, at))
    else return undefined
    return null
  }
  if (!(value instanceof Dict)) return undefined
  if (name === 'keys') return [...value.entries.keys()]
  if (name === 'values') return [...value.entries.values()]
  if (name === 'items') return [...value.entries].map((pair) => new Tuple(pair))
  return name === 'get' ? (value.entries.get(keyOf(first, at)) ?? second ?? null) : undefined
}

/** `{}`, `{0}` and `{name}`. */
function formatted(text: string, values: readonly Value[], named: Arguments['named'], at: Position): string {
  let next = 0
  return text.replaceAll(/\{\{|\}\}|\{(\w*)\}|[{}]/g, (all: string, name?: string) => {
    if (all === '{{' || all === '}}') return all.charAt(0)
    const value =
      name === '' ? values[next++] : /^\d+$/.test(name ?? '') ? values[Number(name)] : named.get(name ?? '')
    if (value === undefined) throw new SourceFault(at, `'${all}' in a format has no value`)
    return textOf(value)
  })
}
