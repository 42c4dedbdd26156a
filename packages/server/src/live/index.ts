import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '@donecheck/engine/internal/ports/store'

export interface Bell {
  readonly ring: () => void
  /** Resolves at the next ring, or at once if it rang since; at the latest on timeout or abort. */
  readonly rung: (withinMs?: number) => Promise<void>
}

export function bell(signal: AbortSignal): Bell {
  let hasRung = false
  let wake: (() => void) | undefined
  const ring = () => {
    hasRung = true
    wake?.()
  }
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    async rung(withinMs) {
      if (!hasRung && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = undefined
      hasRung = false
    },
  }
}

export interface Changes {
  /** Resolves once no later change can be missed. @returns a function that ends it */
  readonly listen: (listener: ChangeListener) => Promise<() => void>
  /** Creates a cache of readings by key, valid until the next change. */
  readonly shared: <Value>() => SharedReadings<Value>
  readonly close: () => void
}

/** @param mark where to continue, see `changes` of the store */
export type ChangeListener = (runIds: readonly string[], mark: number) => void

export type SharedReadings<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>

/** Polling interval while someone listens, too short to notice. */
const lookMs = 200
/** Fallback interval if the store reports changes itself. */
const lookUnaskedMs = 2_000
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
        // Without listeners the store does not report changes.
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
      // The store may be readable at the next poll; listeners miss nothing.
      await mark?.then(look).catch(() => undefined)
      await pause(leastPauseMs, undefined, { ref: false })
    }
  }

  return {
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

export interface Message {
  readonly id?: string | number
  readonly event: string
  readonly data: unknown
}

export function messageText({ id, event, data }: Message): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** So that proxies do not drop a quiet stream. */
export const heartbeatMs = 15_000

/** A slow listener holds one chunk in memory. @param stop is called when the listener has gone */
export function eventStream(
  pieces: AsyncGenerator<string>,
  stop: () => void,
  beatMs = heartbeatMs,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<string>> | undefined
  return new ReadableStream(
    {
      start(controller) {
        controller.enqueue(encoder.encode('retry: 1000\n\n'))
      },
      async pull(controller) {
        next ??= pieces.next()
        const result = await withinBeat(next, beatMs)
        if (result === 'quiet') {
          controller.enqueue(encoder.encode(': still here\n\n'))
          return
        }
        next = undefined
        if (result.done === true) controller.close()
        else controller.enqueue(encoder.encode(result.value))
      },
      cancel: stop,
    },
    { highWaterMark: 1 },
  )
}

async function withinBeat<Value>(promise: Promise<Value>, beatMs: number): Promise<Value | 'quiet'> {
  let timer: NodeJS.Timeout | undefined
  const beat = new Promise<'quiet'>((resolve) => {
    timer = setTimeout(() => {
      resolve('quiet')
    }, beatMs)
  })
  try {
    return await Promise.race([promise, beat])
  } finally {
    clearTimeout(timer)
  }
}
