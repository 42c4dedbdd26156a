/**
 * One stream of server-sent events for all tabs of a browser: over HTTP/1.1 it opens six connections to a host, and a stream in every
 * tab uses them up. The visible tab that holds a lock reads the stream and posts its messages to the others. The browser hands
 * the lock to the next tab when its holder is closed or crashes.
 */
import { z } from 'zod'

export type StreamMessage = z.infer<typeof streamMessage>
const streamMessage = z.object({
  kind: z.enum(['run', 'questions', 'reload', 'open', 'error']),
  data: z.string(),
  /** Position in the store, after which another stream can continue. */
  id: z.string(),
})

/** Sent by a tab that begins to listen. Empty if it has received nothing yet. */
const joined = z.object({ kind: z.literal('joined'), id: z.string() })

type Listener = (message: StreamMessage) => void

const name = 'donecheck-stream'
/** The browser itself reconnects after most errors, but not after a refusal. */
const reconnectMs = 3_000
const listeners = new Set<Listener>()
let latestId = ''
let leaving: AbortController | undefined

/** @returns stops listening */
export function listenToStream(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Call once per page. A hidden tab neither reads nor holds the lock: the browser may suspend it. */
export function startStream(): void {
  const update = () => {
    if (document.visibilityState === 'visible') join()
    else leave()
  }
  document.addEventListener('visibilitychange', update)
  addEventListener('pageshow', update)
  addEventListener('pagehide', leave)
  update()
}

function join(): void {
  if (leaving !== undefined) return
  leaving = new AbortController()
  const { signal } = leaving
  const channel = new BroadcastChannel(name)
  signal.addEventListener('abort', () => channel.close())
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = streamMessage.safeParse(data)
    if (message.success) receive(message.data)
  })
  // A page at a plain address beyond this machine has no locks, and reads a stream of its own while it is visible.
  const held = 'locks' in navigator ? navigator.locks.request(name, { signal }, lead) : lead()
  held.catch(() => undefined)
  channel.postMessage({ kind: 'joined', id: latestId })

  function lead(): Promise<void> {
    const reader = readStream((message) => {
      receive(message)
      channel.postMessage(message)
    })
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const tab = joined.safeParse(data)
      if (tab.success) reader.open(earlier(tab.data.id, latestId))
    })
    reader.open(latestId)
    return new Promise((resolve) =>
      signal.addEventListener('abort', () => {
        reader.close()
        resolve()
      }),
    )
  }
}

function leave(): void {
  leaving?.abort()
  leaving = undefined
}

function receive(message: StreamMessage): void {
  if (message.id !== '') latestId = message.id
  for (const listener of listeners) listener(message)
}

function earlier(one: string, other: string): string {
  return one === '' || (other !== '' && Number(other) < Number(one)) ? other : one
}

function readStream(receive: Listener) {
  let stream: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const close = () => {
    clearTimeout(timer)
    stream?.close()
  }
  const open = (after: string) => {
    close()
    const source = new EventSource(`/api/stream${after === '' ? '' : `?after=${after}`}`)
    stream = source
    for (const kind of ['run', 'questions', 'reload', 'open', 'error'] as const)
      source.addEventListener(kind, (event) => {
        const isMessage = event instanceof MessageEvent
        receive({ kind, data: isMessage ? String(event.data) : '', id: isMessage ? event.lastEventId : '' })
        if (kind === 'error' && source.readyState === EventSource.CLOSED)
          timer = setTimeout(() => open(latestId), reconnectMs)
      })
  }
  return { open, close }
}
