/** The values of the language. */
import type { Definition } from './syntax.ts'
import type { Position } from './source-fault.ts'

/** `null` is None; numbers are integers. */
export type Value =
  | null
  | boolean
  | number
  | string
  | ListValue
  | TupleValue
  | DictValue
  | RangeValue
  | FunctionValue
  | BuiltInValue

export interface ListValue {
  readonly kind: 'list'
  readonly items: Value[]
  /** How many loops run over it: meanwhile it cannot be changed. */
  loops: number
}

export interface TupleValue {
  readonly kind: 'tuple'
  readonly items: readonly Value[]
}

export interface DictValue {
  readonly kind: 'dict'
  /** By the key as a text, see `hashOf`. */
  readonly entries: Map<string, readonly [Value, Value]>
  loops: number
}

export interface RangeValue {
  readonly kind: 'range'
  readonly start: number
  readonly stop: number
  readonly step: number
  readonly length: number
}

export interface FunctionValue {
  readonly kind: 'function'
  readonly definition: Definition
  /** Of the parameters that have one. */
  readonly defaults: ReadonlyMap<string, Value>
  readonly scope: Scope
}

export interface BuiltInValue {
  readonly kind: 'built-in'
  readonly name: string
  readonly call: (given: Given, position: Position) => Value
}

/** What a call gives. */
export interface Given {
  readonly values: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

/** The values of names; `owns` says which names are its own before they have one. */
export interface Scope {
  readonly owns: ReadonlySet<string>
  readonly values: Map<string, Value>
  readonly outer: Scope | null
}

export const listOf = (items: Iterable<Value>): ListValue => ({ kind: 'list', items: [...items], loops: 0 })
export const tupleOf = (items: Iterable<Value>): TupleValue => ({ kind: 'tuple', items: [...items] })
export const emptyDict = (): DictValue => ({ kind: 'dict', entries: new Map(), loops: 0 })

export function typeOf(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'int'
  if (typeof value === 'string') return 'string'
  return value.kind === 'built-in' ? 'function' : value.kind
}

export function isTrue(value: Value): boolean {
  if (value === null) return false
  if (typeof value !== 'object') return Boolean(value)
  switch (value.kind) {
    case 'list':
    case 'tuple':
      return value.items.length > 0
    case 'dict':
      return value.entries.size > 0
    case 'range':
      return value.length > 0
    case 'function':
    case 'built-in':
      return true
  }
}

export const isSequence = (value: Value): value is ListValue | TupleValue =>
  value !== null && typeof value === 'object' && (value.kind === 'list' || value.kind === 'tuple')

export const isKind = <Kind extends 'list' | 'tuple' | 'dict' | 'range' | 'function' | 'built-in'>(
  value: Value,
  kind: Kind,
): value is Extract<Value, { readonly kind: Kind }> =>
  value !== null && typeof value === 'object' && value.kind === kind
