/** What happens in the store, told to whoever listens: one look at a time for the whole process, however many listen. */
import { setTimeout } from 'node:timers/promises'
import type { Store } from '@donecheck/engine/ports/store'
import { bell, type Bell } from './bell.ts'

export interface Changes {
  /**
   * Tells of runs that have new events, or questions asked or settled, from now on.
   * Resolves when nothing that happens later can be missed: whoever reads the store after that has seen the rest.
   * @returns what ends it
   */
  readonly listen: (listener: ChangeListener) => Promise<() => void>
  /** The same reading, by its key, for all who want it between two changes. Makes one such memory. */
  readonly shared: <Value>() => SharedReadings<Value>
  readonly close: () => void
}

/** @param mark to go on from, see `changes` of the store */
export type ChangeListener = (runIds: readonly string[], mark: number) => void

export type SharedReadings<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>

/** How often the store is looked at while somebody listens: what a person does not notice. */
const lookMs = 200
/** Where the store says by itself that something has changed: for what it could not say. */
const lookUnaskedMs = 2_000
/** However often it says so. */
const leastPauseMs = 50

type Watched = Pick<Store, 'changes' | 'onChange'>

export function storeChanges(store: Watched): Changes {
  const listeners = new Set<ChangeListener>()
  const memories: { readonly clear: () => void }[] = []
  const forget = () => {
    for (const memory of memories) memory.clear()
  }
  const looks = regularLooks(store, (runIds, mark) => {
    forget()
    for (const listener of listeners) listener(runIds, mark)
  })
  return {
    async listen(listener) {
      listeners.add(listener)
      await looks.begin()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        looks.end()
        forget()
      }
    },
    shared<Value>() {
      const readings = new Map<string, Promise<Value>>()
      memories.push(readings)
      return (key: string, read: () => Promise<Value>) => {
        // While nobody listens nobody says what has changed.
        if (listeners.size === 0) return read()
        const reading = readings.get(key) ?? read()
        readings.set(key, reading)
        return reading
      }
    },
    close() {
      looks.end()
      listeners.clear()
    },
  }
}

/** Looks again and again between the first begin and the end. */
function regularLooks(store: Watched, tell: ChangeListener) {
  let mark: Promise<number> | undefined
  let over: AbortController | undefined
  const usualMs = store.onChange === undefined ? lookMs : lookUnaskedMs

  async function look(after: number): Promise<void> {
    const { latest, runIds } = await store.changes(after)
    if (mark === undefined) return
    mark = Promise.resolve(latest)
    if (runIds.length > 0) tell(runIds, latest)
  }

  async function lookAtNews(news: Bell, signal: AbortSignal): Promise<void> {
    for (;;) {
      await news.rung(usualMs)
      if (signal.aborted) return
      // A store that cannot be read now may be read at the next look: listeners wait for news, and lose none.
      await mark?.then(look).catch(() => undefined)
      await setTimeout(leastPauseMs, undefined, { ref: false })
    }
  }

  return {
    /** Resolves when nothing that happens later is missed. */
    async begin(): Promise<void> {
      if (mark === undefined) {
        mark = store.changes().then(({ latest }) => latest)
        over = new AbortController()
        const news = bell(over.signal)
        const ignore = store.onChange?.(news.ring)
        over.signal.addEventListener('abort', () => ignore?.())
        void lookAtNews(news, over.signal)
      }
      await mark
    },
    end(): void {
      over?.abort()
      mark = undefined
    },
  }
}
