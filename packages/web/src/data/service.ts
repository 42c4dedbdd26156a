import { z } from 'zod'
import * as shapes from './shapes.ts'
import { runDetails, runEvent } from './shapes.ts'
import { SourceError, type Answer, type Follower, type Service, type Watcher, type Source } from './source.ts'

const eventsPerPage = 2_000
const runsPerPage = 50

export const service: Service = {
  session: () => get('/api/session', shapes.session),
  summary: async (runId) => (await get(`/api/runs/${part(runId)}/summary`, shapes.runSummary)).run,
  details: (runId) => get(`/api/runs/${part(runId)}`, shapes.runDetails),
  events: (runId, after) =>
    get(`/api/runs/${part(runId)}/events${query({ after, limit: eventsPerPage })}`, shapes.eventsPage),
  follow,
  attachment: async (runId, digest) => {
    const response = await ask(`/api/runs/${part(runId)}/attachments/${part(digest)}`)
    return response.text()
  },
  treeChanges: (runId) => get(`/api/runs/${part(runId)}/changes`, shapes.treeChanges),
  runs: ({ open, ...filters }) =>
    get(`/api/runs${query({ limit: runsPerPage, ...filters, open: open || undefined })}`, shapes.runsPage),
  watch,
  questions: async () => (await get('/api/questions', shapes.questionsPage)).questions,
  answer: (id, answer: Answer) => post(`/api/questions/${part(id)}/answer`, answer),
  cancel: (runId, reason) => post(`/api/runs/${part(runId)}/cancel`, { reason }),
  resume: (runId, topUp) => post(`/api/runs/${part(runId)}/resume`, topUp === undefined ? {} : { topUp }),
  insights: (asked) => get(`/api/insights${query({ ...asked })}`, shapes.insights),
}

const part = encodeURIComponent

/** Leaves out values that are empty or undefined. */
function query(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const asked = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}=${part(String(value))}`],
  )
  return asked.length === 0 ? '' : `?${asked.join('&')}`
}

async function get<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>> {
  const response = await ask(path)
  return readAs(shape, await response.json())
}

async function post(path: string, body: object): Promise<void> {
  await ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

function readAs<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const read = shape.safeParse(value)
  if (read.success) return read.data
  const [first] = read.error.issues
  throw new SourceError(
    `The service answered something else than expected (${first?.path.join('.') ?? ''}: ${first?.message ?? ''}). Reload the page.`,
  )
}

/** @throws {SourceError} without a response, or for a refusal */
async function ask(path: string, request: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, request).catch(() => {
    throw new SourceError('The service does not answer. Is `donecheck serve` still running?')
  })
  if (response.ok) return response
  const refusal = shapes.failure.safeParse(await response.json().catch(() => undefined))
  throw new SourceError(
    refusal.success ? refusal.data.error.message : `The service answered ${response.status}.`,
    response.status,
  )
}

/** Reads a run's events when the shared stream reports it; a stream per run exhausts connections. */
function follow(runId: string, after: number, { happened, ended }: Follower): () => void {
  let last = after
  let isClosed = false
  const readAll = async () => {
    for (let next: number | null = last; next !== null && !isClosed;) {
      const page: shapes.EventsPage = await service.events(runId, next)
      for (const event of page.events.filter(({ sequence }) => sequence > last && !isClosed)) {
        last = event.sequence
        happened(event)
        if (event.type === 'run-stopped') ended()
      }
      next = page.next
    }
  }
  let reading = Promise.resolve()
  // If the service is down, the stream reopens later and reads the rest.
  const read = () => (reading = reading.then(readAll).catch(() => undefined))
  const stop = listenToStream(({ kind, data }) => {
    if (kind === 'open' || kind === 'reload') void read()
    if (kind === 'run') {
      const { runId: changedId, events } = readAs(shapes.runItem, JSON.parse(data))
      if (changedId === runId && events > last) void read()
    }
  })
  void read()
  void service.summary(runId).then(
    ({ outcome }) => typeof outcome === 'string' && !isClosed && ended(),
    () => undefined,
  )
  return () => {
    isClosed = true
    stop()
  }
}

function watch({ changed, questions, reload, connected }: Watcher): void {
  listenToStream(({ kind, data }) => {
    switch (kind) {
      case 'run':
        changed(readAs(shapes.runItem, JSON.parse(data)))
        break
      case 'questions':
        questions(readAs(shapes.openQuestions, JSON.parse(data)).open)
        break
      case 'reload':
        reload()
        break
      case 'open':
      case 'error':
        connected(kind === 'open')
    }
  })
  startStream()
}

export const embeddedId = 'donecheck-run'

const embeddedRun = runDetails.extend({
  events: z.array(runEvent),
  attachments: z.record(z.string(), z.string()),
})

/** Undefined if the page came from a service. */
export function embeddedSource(
  json: string | undefined,
): { readonly runId: string; readonly source: Source } | undefined {
  if (json === undefined) return undefined
  const { events, attachments, ...details } = embeddedRun.parse(JSON.parse(json))
  return {
    runId: details.run.runId,
    source: {
      summary: async () => details.run,
      details: async () => details,
      events: async (_, after) => ({ events: events.filter(({ sequence }) => sequence > after), next: null }),
      follow: () => () => undefined,
      attachment: async (_, digest) => {
        const text = attachments[digest]
        if (text === undefined)
          throw new SourceError('This output is not in the file. `donecheck export` has it.')
        return text
      },
      treeChanges: async () => ({ kind: 'not-compared', reason: 'a file does not hold the work folder' }),
    },
  }
}

type StreamMessage = z.infer<typeof streamMessage>
const streamMessage = z.object({
  kind: z.enum(['run', 'questions', 'reload', 'open', 'error']),
  data: z.string(),
  /** Position in the store, after which another stream can continue. */
  id: z.string(),
})

/** Sent by a tab that starts to listen; empty if it has received nothing. */
const joined = z.object({ kind: z.literal('joined'), id: z.string() })

type Listener = (message: StreamMessage) => void

const name = 'donecheck-stream'
/** Browsers reconnect after most errors, but not after a refusal. */
const reconnectMs = 3_000
const listeners = new Set<Listener>()
let latestId = ''
let leaving: AbortController | undefined

function listenToStream(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Call once per page. A hidden tab neither reads nor holds the lock: the browser may suspend it. */
function startStream(): void {
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
  // Without a secure context there are no locks, so each visible page reads its own stream.
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
