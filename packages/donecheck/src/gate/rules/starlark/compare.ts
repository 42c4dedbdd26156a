/** Equality, order and membership. */
import { itemsOf } from './items.ts'
import type { Machine } from './machine.ts'
import { isKind, isSequence, typeOf, type DictValue, type Value } from './value.ts'

/** Values of different types are never equal, not even `1` and `True`. */
export function isEqual(left: Value, right: Value, machine: Machine): boolean {
  machine.step(costOf(left))
  if (left === right) return true
  if (isKind(left, 'dict') && isKind(right, 'dict')) return isEqualDict(left, right, machine)
  if (isKind(left, 'range') && isKind(right, 'range'))
    return (
      left.length === right.length &&
      (left.length === 0 || left.start === right.start) &&
      (left.length < 2 || left.step === right.step)
    )
  if (!isSequence(left) || !isSequence(right)) return false
  if (left.kind !== right.kind || left.items.length !== right.items.length) return false
  return machine.nested(() =>
    left.items.every((item, index) => isEqual(item, right.items[index] ?? null, machine)),
  )
}

/** Long texts are not compared for nothing. */
const costOf = (value: Value) => (typeof value === 'string' ? 1 + Math.floor(value.length / 256) : 1)

function isEqualDict(left: DictValue, right: DictValue, machine: Machine): boolean {
  if (left.entries.size !== right.entries.size) return false
  return machine.nested(() =>
    [...left.entries].every(([hash, [, value]]) => {
      const other = right.entries.get(hash)
      return other !== undefined && isEqual(value, other[1], machine)
    }),
  )
}

/** Less than 0, 0, or more. @throws SourceFault for values without an order */
export function compare(left: Value, right: Value, machine: Machine): number {
  machine.step(costOf(left))
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  if (isSequence(left) && isSequence(right) && left.kind === right.kind)
    return machine.nested(() => {
      for (const [index, item] of left.items.entries()) {
        const other = right.items[index]
        if (other === undefined) return 1
        const order = compare(item, other, machine)
        if (order !== 0) return order
      }
      return left.items.length - right.items.length
    })
  throw machine.fault(`${typeOf(left)} and ${typeOf(right)} have no order`)
}

/** By code points, not by UTF-16 units. */
function compareTexts(left: string, right: string): number {
  const others = right[Symbol.iterator]()
  for (const char of left) {
    const other = others.next()
    if (other.done === true) return 1
    const order = (char.codePointAt(0) ?? 0) - (other.value.codePointAt(0) ?? 0)
    if (order !== 0) return order
  }
  return others.next().done === true ? 0 : -1
}

/** `item in container`. */
export function contains(container: Value, item: Value, machine: Machine): boolean {
  if (typeof container === 'string') {
    if (typeof item !== 'string') throw machine.fault(`a string cannot have a ${typeOf(item)} in it`)
    machine.make(container.length)
    return container.includes(item)
  }
  if (isKind(container, 'dict')) return container.entries.has(hashOf(item, machine))
  if (isSequence(container) || isKind(container, 'range'))
    return [...itemsOf(container, machine)].some((candidate) => isEqual(candidate, item, machine))
  throw machine.fault(`nothing can be in a ${typeOf(container)}`)
}

/** A text that equal keys share and different ones do not. @throws SourceFault for what cannot be a key */
export function hashOf(value: Value, machine: Machine): string {
  if (typeof value === 'string') {
    machine.make(value.length)
    return `s${value.length}:${value}`
  }
  if (value === null || typeof value !== 'object') return `${typeof value}:${String(value)}`
  if (value.kind !== 'tuple') throw machine.fault(`a ${typeOf(value)} cannot be a key`)
  const parts = machine.nested(() => value.items.map((item) => hashOf(item, machine)))
  const hash = `t${parts.length}(${parts.join(',')})`
  machine.make(hash.length)
  return hash
}
