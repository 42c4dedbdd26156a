/** Notices a provider that sends nothing any more, and whether it had begun to answer. */

export interface Watch {
  /** Aborts when nothing has come for the whole time. */
  readonly signal: AbortSignal
  /** The provider has accepted the request and begun to answer. */
  readonly hasResponded: () => boolean
  /** Something has come. */
  readonly touch: () => void
  /** To be called in the end, or the timer stays. */
  readonly stop: () => void
}

export interface Timer {
  /** Begins anew. */
  readonly refresh: () => void
  readonly stop: () => void
}

export type StartTimer = (fire: () => void, ms: number) => Timer

export function startWatch(stallTimeoutMs: number, startTimer: StartTimer = systemTimer): Watch {
  const controller = new AbortController()
  let responded = false
  let stopped = false
  const timer = startTimer(() => {
    controller.abort(new Error(`nothing came for ${stallTimeoutMs} ms`))
  }, stallTimeoutMs)
  return {
    signal: controller.signal,
    hasResponded: () => responded,
    touch: () => {
      responded = true
      // A timer that was stopped would begin again.
      if (!stopped) timer.refresh()
    },
    stop: () => {
      stopped = true
      timer.stop()
    },
  }
}

const systemTimer: StartTimer = (fire, ms) => {
  const timer = setTimeout(fire, ms)
  return {
    refresh: () => timer.refresh(),
    stop: () => {
      clearTimeout(timer)
    },
  }
}

/**
 * `fetch` that tells the watch about every byte, so that a server which keeps the line open with comments counts as
 * alive. An answer that is an error is not the begin of a reply.
 */
export function watchFetch(watch: Watch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, init)
    if (!response.ok || response.body === null) return response
    watch.touch()
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          watch.touch()
          controller.enqueue(chunk)
        },
      }),
    )
    return new Response(body, response)
  }
}
