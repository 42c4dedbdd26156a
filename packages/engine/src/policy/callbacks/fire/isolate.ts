/** What a hook is given: a copy of its own that cannot be changed, so that no hook reaches the loop or another hook. */
import type { RunEvent } from '@donecheck/core/events'
import type { Occasion } from '../../../ports/callbacks.ts'

/** Copies of what has happened, one per event; the table may be deleted at any time. */
const copies = new WeakMap<RunEvent, RunEvent>()

function frozenEvent(event: RunEvent): RunEvent {
  const known = copies.get(event)
  if (known !== undefined) return known
  const copy = deeplyFrozen(structuredClone(event))
  copies.set(event, copy)
  return copy
}

/**
 * @param signal of this hook alone
 * @throws for what cannot be copied, such as a function or a proxy
 */
export function isolateInput<Input extends Occasion>(input: Input, signal: AbortSignal): Input
export function isolateInput({ history, ...data }: Occasion, signal: AbortSignal): Occasion {
  const copy = deeplyFrozen(structuredClone({ ...data, signal: undefined }))
  const frozenHistory = () => Object.freeze(history().map(frozenEvent))
  return Object.freeze({ ...copy, signal, history: frozenHistory })
}

/** Plain data and everything in it. Without recursion: a model may nest its arguments as deeply as it likes. */
export function deeplyFrozen<Value>(value: Value): Value {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    Object.freeze(next)
    for (const part of Object.values(next)) waiting.push(part)
  }
  return value
}
