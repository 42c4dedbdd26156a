/** `value[index]`, `value[start:stop:step]`, and assignment to an index. */
import { hashOf } from './compare.ts'
import { checkChangeable } from './items.ts'
import type { Machine } from './machine.ts'
import { isKind, isSequence, listOf, tupleOf, typeOf, type Value } from './value.ts'

/** @throws SourceFault */
export function indexOf(object: Value, index: Value, machine: Machine): Value {
  if (isKind(object, 'dict')) {
    const entry = object.entries.get(hashOf(index, machine))
    if (entry === undefined) throw machine.fault('the dict has no such key')
    return entry[1]
  }
  if (typeof object === 'string') {
    const chars = charsOf(object, machine)
    return chars[placeOf(index, chars.length, machine)] ?? ''
  }
  if (isSequence(object)) return object.items[placeOf(index, object.items.length, machine)] ?? null
  if (isKind(object, 'range')) return object.start + placeOf(index, object.length, machine) * object.step
  throw machine.fault(`a ${typeOf(object)} has no index`)
}

/** @throws SourceFault */
export function assignIndex(object: Value, index: Value, value: Value, machine: Machine): void {
  if (isKind(object, 'dict')) {
    const hash = hashOf(index, machine)
    checkChangeable(object, machine)
    machine.make(1)
    object.entries.set(hash, [object.entries.get(hash)?.[0] ?? index, value])
  } else if (isKind(object, 'list')) {
    const place = placeOf(index, object.items.length, machine)
    checkChangeable(object, machine)
    object.items[place] = value
  } else throw machine.fault(`a ${typeOf(object)} cannot be changed`)
}

interface Bounds {
  readonly start: Value | undefined
  readonly stop: Value | undefined
  readonly step: Value | undefined
}

/** Undefined: left out. @throws SourceFault */
export function sliceOf(object: Value, bounds: Bounds, machine: Machine): Value {
  if (typeof object === 'string') return pick(charsOf(object, machine), bounds, machine).join('')
  if (!isSequence(object)) throw machine.fault(`a slice of a ${typeOf(object)} is not understood here`)
  const items = pick(object.items, bounds, machine)
  return object.kind === 'list' ? listOf(items) : tupleOf(items)
}

function pick<Item>(items: readonly Item[], bounds: Bounds, machine: Machine): readonly Item[] {
  const step = bounds.step === undefined || bounds.step === null ? 1 : numberOf(bounds.step, machine)
  if (step === 0) throw machine.fault('the step of a slice is 0')
  const { length } = items
  const [lowest, highest] = step > 0 ? [0, length] : [-1, length - 1]
  const bound = (value: Value | undefined, otherwise: number) => {
    if (value === undefined) return otherwise
    const place = numberOf(value, machine)
    return Math.min(highest, Math.max(lowest, place < 0 ? place + length : place))
  }
  const start = bound(bounds.start, step > 0 ? lowest : highest)
  const stop = bound(bounds.stop, step > 0 ? highest : lowest)
  const count = Math.max(0, Math.ceil((stop - start) / step))
  machine.make(count)
  const picked: Item[] = []
  for (let place = start; picked.length < count; place += step) picked.push(...items.slice(place, place + 1))
  return picked
}

function placeOf(index: Value, length: number, machine: Machine): number {
  const number = numberOf(index, machine)
  const place = number < 0 ? number + length : number
  if (place < 0 || place >= length) throw machine.fault(`index ${number} is outside of ${length} items`)
  return place
}

function numberOf(value: Value, machine: Machine): number {
  if (typeof value !== 'number') throw machine.fault(`an index must be an int, not a ${typeOf(value)}`)
  return value
}

/** By code points. */
function charsOf(text: string, machine: Machine): readonly string[] {
  machine.make(text.length)
  return Array.from(text)
}
