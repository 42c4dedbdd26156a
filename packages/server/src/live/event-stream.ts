/** Server-sent events: what is told, and how it is handed on to a listener who may be slow. */

export interface Message {
  readonly id?: string | number
  readonly event: string
  readonly data: unknown
}

/** What the listener's browser takes for one event. JSON has no line breaks of its own. */
export function messageText({ id, event, data }: Message): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** So that proxies do not take a quiet stream for a dead one. */
export const heartbeatMs = 15_000

/**
 * Asks for the next piece only when the last one was taken: a slow listener falls behind in the store and holds nothing in memory
 * beyond one piece.
 * @param stop is called when the listener has gone
 */
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
