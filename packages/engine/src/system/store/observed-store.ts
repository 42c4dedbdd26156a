import type { Store } from '../../ports/store.ts'
import type { RunEvent } from '@donecheck/core/internal/events'

/** Sees what is appended, after it was. It must not throw. */
export interface StoreObserver {
  /** Called with each event of a run, in order. */
  observe(event: RunEvent): void
  /** What was before a run that is resumed, whole. */
  recall(past: readonly RunEvent[]): void
  /** It has seen the beginning of that run, or recalls it. */
  knows(runId: string): boolean
}

/** The same store; whatever is appended to it is observed, sub-runs as well. */
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
      // Its methods are its own: they may hold what is private to it.
      return typeof value === 'function'
        ? (...given: unknown[]): unknown => Reflect.apply(value, target, given)
        : value
    },
  })
}

/** Empty where it cannot be read: then nothing is told of the run. */
async function pastOf(store: Store, { runId, sequence }: RunEvent): Promise<readonly RunEvent[]> {
  const events = await store.read(runId).catch(() => [])
  return events.filter((event) => event.sequence < sequence)
}
