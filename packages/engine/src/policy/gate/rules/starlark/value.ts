/** The values of a rule file. */
import { SourceFault, type Position } from './source-fault.ts'

/** `null` is None; numbers are integers; an array is a list. */
export type Value = null | boolean | number | string | Value[] | Tuple | Dict | Callable

export class Tuple {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    this.items = items
  }
}

/** Values by a text of their key that no other key has. */
export class Dict {
  readonly entries = new Map<string, readonly [key: Value, value: Value]>()

  set(key: Value, value: Value, at: Position): void {
    this.entries.set(keyOf(key, at), [key, value])
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

export function typeOf(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'int'
  if (typeof value === 'string') return 'string'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Tuple) return 'tuple'
  return value instanceof Dict ? 'dict' : 'function'
}

export function keyOf(value: Value, at: Position): string {
  if (Array.isArray(value) || value instanceof Dict)
    throw new SourceFault(at, `a ${typeOf(value)} cannot be a key`)
  if (value instanceof Tuple) return `(${value.items.map((item) => JSON.stringify(keyOf(item, at))).join()})`
  return `${typeOf(value)} ${typeof value === 'object' && value !== null ? value.name : String(value)}`
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
  if (value instanceof Dict) return [...value.entries.values()].map(([key]) => key)
  throw new SourceFault(at, `a ${typeOf(value)} has no items to go through`)
}

/** As `repr` writes it. */
export function represent(value: Value): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map(represent).join(', ')}]`
  if (value instanceof Tuple)
    return `(${value.items.map(represent).join(', ')}${value.items.length === 1 ? ',' : ''})`
  if (value instanceof Dict)
    return `{${[...value.entries.values()].map(([key, entry]) => `${represent(key)}: ${represent(entry)}`).join(', ')}}`
  return value.name
}

export const textOf = (value: Value): string => (typeof value === 'string' ? value : represent(value))

export function isEqual(one: Value, other: Value): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return areEqual(one, other)
  if (one instanceof Tuple && other instanceof Tuple) return areEqual(one.items, other.items)
  if (!(one instanceof Dict) || !(other instanceof Dict)) return one === other
  return (
    one.entries.size === other.entries.size &&
    [...one.entries].every(([key, [, value]]) => {
      const found = other.entries.get(key)
      return found !== undefined && isEqual(value, found[1])
    })
  )
}

function areEqual(one: readonly Value[], other: readonly Value[]): boolean {
  return one.length === other.length && one.every((item, at) => isEqual(item, other[at] ?? null))
}

/** Below 0: `one` comes first. Texts by code points, as UTF-8 has them. */
export function compare(one: Value, other: Value, at: Position): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other)
  if (typeof one === 'string' && typeof other === 'string')
    return compareAll(Array.from(one, codePointOf), Array.from(other, codePointOf), at)
  const [left, right] = [Array.isArray(one) ? one : null, Array.isArray(other) ? other : null]
  if (left !== null && right !== null) return compareAll(left, right, at)
  if (one instanceof Tuple && other instanceof Tuple) return compareAll(one.items, other.items, at)
  throw new SourceFault(at, `a ${typeOf(one)} and a ${typeOf(other)} have no order`)
}

const codePointOf = (letter: string): number => letter.codePointAt(0) ?? 0

function compareAll(one: readonly Value[], other: readonly Value[], at: Position): number {
  const differing = one.findIndex(
    (item, index) => index >= other.length || !isEqual(item, other[index] ?? null),
  )
  if (differing === -1) return one.length - other.length
  return differing >= other.length ? 1 : compare(one[differing] ?? null, other[differing] ?? null, at)
}
