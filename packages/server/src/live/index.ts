import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '@donecheck/engine/internal/ports/store'

export interface WakeSignal {
  readonly wake: () => void
  /** Resolves at the next wake, at once if one was missed, or at the latest on timeout or abort. */
  readonly waitForWake: (withinMs?: number) => Promise<void>
}

export function createWakeSignal(signal: AbortSignal): WakeSignal {
  let isWoken = false
  let resolveWait: (() => void) | undefined
  const wake = () => {
    isWoken = true
    resolveWait?.()
  }
  signal.addEventListener('abort', wake, { once: true })
  return {
    wake,
    async waitForWake(withinMs) {
      if (!isWoken && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
          resolveWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      resolveWait = undefined
      isWoken = false
    },
  }
}

export interface Changes {
  /** Resolves once no later change can be missed. @returns a function that ends it */
  readonly listen: (listener: ChangeListener) => Promise<() => void>
  /** Creates a cache of reads by key, valid until the next change. */
  readonly shared: <Value>() => SharedReads<Value>
  readonly close: () => void
}

/** @param mark where to continue, see `changes` of the store */
export type ChangeListener = (runIds: readonly string[], mark: number) => void

export type SharedReads<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>

/** Polling interval while there are listeners, too short to notice. */
const pollMs = 200
/** Fallback interval if the store reports changes itself. */
const fallbackPollMs = 2_000
const minPauseMs = 50

type Watched = Pick<Store, 'changes' | 'onChange'>

export function storeChanges(store: Watched): Changes {
  const listeners = new Set<ChangeListener>()
  const caches: { readonly clear: () => void }[] = []
  const clearCaches = () => {
    for (const cache of caches) cache.clear()
  }
  const poller = createPoller(store, (runIds, mark) => {
    clearCaches()
    for (const listener of listeners) listener(runIds, mark)
  })
  return {
    async listen(listener) {
      listeners.add(listener)
      await poller.start()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        poller.stop()
        clearCaches()
      }
    },
    shared<Value>() {
      const reads = new Map<string, Promise<Value>>()
      caches.push(reads)
      return (key: string, read: () => Promise<Value>) => {
        // Without listeners the store does not report changes.
        if (listeners.size === 0) return read()
        const cached = reads.get(key) ?? read()
        reads.set(key, cached)
        return cached
      }
    },
    close() {
      poller.stop()
      listeners.clear()
    },
  }
}

function createPoller(store: Watched, notify: ChangeListener) {
  let mark: Promise<number> | undefined
  let closing: AbortController | undefined
  const usualMs = store.onChange === undefined ? pollMs : fallbackPollMs

  async function poll(after: number): Promise<void> {
    const { latest, runIds } = await store.changes(after)
    if (mark === undefined) return
    mark = Promise.resolve(latest)
    if (runIds.length > 0) notify(runIds, latest)
  }

  async function pollOnWake(wakeSignal: WakeSignal, signal: AbortSignal): Promise<void> {
    for (;;) {
      await wakeSignal.waitForWake(usualMs)
      if (signal.aborted) return
      // The store may be readable at the next poll; listeners miss nothing.
      await mark?.then(poll).catch(() => undefined)
      await pause(minPauseMs, undefined, { ref: false })
    }
  }

  return {
    async start(): Promise<void> {
      if (mark === undefined) {
        mark = store.changes().then(({ latest }) => latest)
        closing = new AbortController()
        const wakeSignal = createWakeSignal(closing.signal)
        const ignore = store.onChange?.(wakeSignal.wake)
        closing.signal.addEventListener('abort', () => ignore?.())
        void pollOnWake(wakeSignal, closing.signal)
      }
      await mark
    },
    stop(): void {
      closing?.abort()
      mark = undefined
    },
  }
}

export interface Message {
  readonly id?: string | number
  readonly event: string
  readonly data: unknown
}

export function formatMessage({ id, event, data }: Message): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** So that proxies do not drop a quiet stream. */
export const heartbeatMs = 15_000

/** Streams with one chunk of memory for a slow listener. @param stop is called when the listener disconnects */
export function eventStream(
  chunks: AsyncGenerator<string>,
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
        next ??= chunks.next()
        const result = await waitForBeat(next, beatMs)
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

async function waitForBeat<Value>(promise: Promise<Value>, beatMs: number): Promise<Value | 'quiet'> {
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
