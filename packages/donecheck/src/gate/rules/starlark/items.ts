/** What a loop runs over. */
import type { Machine } from './machine.ts'
import { isKind, isSequence, typeOf, type DictValue, type ListValue, type Value } from './value.ts'

/** Strings are not run over. Each item is a step. @throws SourceFault for what has no items */
export function* itemsOf(value: Value, machine: Machine): Generator<Value, void, undefined> {
  if (isSequence(value)) {
    for (const item of value.items) {
      machine.step()
      yield item
    }
  } else if (isKind(value, 'dict')) {
    for (const [key] of value.entries.values()) {
      machine.step()
      yield key
    }
  } else if (isKind(value, 'range')) {
    for (let index = 0; index < value.length; index += 1) {
      machine.step()
      yield value.start + index * value.step
    }
  } else throw machine.fault(`a ${typeOf(value)} has no items`)
}

/** All of them at once. */
export function allItems(value: Value, machine: Machine): readonly Value[] {
  const items = [...itemsOf(value, machine)]
  machine.make(items.length)
  return items
}

/** Runs over it; meanwhile it cannot be changed. `visit` answers `true` to stop. */
export function loopOver(value: Value, machine: Machine, visit: (item: Value) => boolean): void {
  const held = isKind(value, 'list') || isKind(value, 'dict') ? value : undefined
  if (held !== undefined) held.loops += 1
  try {
    for (const item of itemsOf(value, machine)) if (visit(item)) return
  } finally {
    if (held !== undefined) held.loops -= 1
  }
}

/** @throws SourceFault while a loop runs over it */
export function checkChangeable(value: ListValue | DictValue, machine: Machine): void {
  if (value.loops > 0) throw machine.fault(`the ${value.kind} cannot be changed while a loop runs over it`)
}
