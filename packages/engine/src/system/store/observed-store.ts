import type { Store } from '../../ports/store.ts'
import type { RunEvent } from '@donecheck/core/internal/events'

/** Sees events after they were appended. Must not throw. */
export interface StoreObserver {
  /** Called with each event of a run, in order. */
  observe(event: RunEvent): void
  /** Receives all earlier events of a resumed run. */
  recall(past: readonly RunEvent[]): void
  /** Whether it saw the run's start, or recalled it. */
  knows(runId: string): boolean
}

/** Reports appended events to the observer, sub-runs included. */
export function observedStore(store: Store, observer: StoreObserver): Store {
  const append: Store['append'] = async (expected, events, ...rest) => {
    const result = await store.append(expected, events, ...rest)
    if (result.kind !== 'appended') return result
    const [first] = events
    if (first !== undefined && first.sequence > 1 && !observer.knows(first.runId))
      observer.recall(await pastOf(store, first))
    events.forEach((event) => observer.observe(event))
    return result
  }
  return new Proxy(store, {
    get(target, name) {
      if (name === 'append') return append
      const value: unknown = Reflect.get(target, name)
      // Methods run on the store, because of private fields.
      return typeof value === 'function'
        ? (...given: unknown[]): unknown => Reflect.apply(value, target, given)
        : value
    },
  })
}

/** Empty if unreadable: then nothing is reported about the run. */
async function pastOf(store: Store, { runId, sequence }: RunEvent): Promise<readonly RunEvent[]> {
  const events = await store.read(runId).catch(() => [])
  return events.filter((event) => event.sequence < sequence)
}
