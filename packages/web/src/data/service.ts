import { z } from 'zod'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { Outcome, StopReason } from '@donecheck/core/internal/events/transitions'
import {
  serviceClient,
  type AnswerRequest,
  type Insights,
  type Question,
  type RunItem,
  type Session,
  type StartRequest,
  type TopUpRequest,
  type TreeChanges,
  type RunDetailsResponse,
} from '@donecheck/server/client'

// The CSP forbids compiling code, which zod would try.
z.config({ jitless: true })

export type RunDetails = Pick<RunDetailsResponse, 'run' | 'explanation'>

export interface EventsPage {
  readonly events: readonly RunEvent[]
  /** Null on the last page. */
  readonly next: number | null
}

export interface RunsPage {
  readonly runs: readonly RunItem[]
  readonly next: string | null
}

/** Reads and follows one run. Every method rejects with `ServiceError` if there is no response. */
export interface Source {
  summary(runId: string): Promise<RunItem>
  details(runId: string): Promise<RunDetails>
  /** @param after sequence number of the last known event; 0 for the start */
  events(runId: string, after: number): Promise<EventsPage>
  follow(runId: string, after: number, follower: Follower): () => void
  attachment(runId: string, digest: string): Promise<string>
  treeChanges(runId: string): Promise<TreeChanges>
}

interface Follower {
  readonly happened: (event: RunEvent) => void
  readonly ended: () => void
}

export interface Service extends Source {
  session(): Promise<Session>
  runs(query: RunsQuery): Promise<RunsPage>
  watch(watcher: Watcher): void
  questions(): Promise<readonly Question[]>
  answer(questionId: string, answer: AnswerRequest): Promise<unknown>
  start(request: StartRequest): Promise<{ readonly runId: string }>
  /** The run applies it before its next turn, or when it is resumed. */
  changeObjective(runId: string, objective: string): Promise<unknown>
  cancel(runId: string, reason: string): Promise<unknown>
  /** @param topUp by the names after `--top-up`; undefined for none */
  resume(runId: string, topUp: TopUpRequest | undefined): Promise<unknown>
  insights(query: InsightsQuery): Promise<Insights>
}

interface Watcher {
  readonly changed: (run: RunItem) => void
  readonly questions: (open: number) => void
  readonly reload: () => void
  readonly connected: (isConnected: boolean) => void
}

/** An empty field does not restrict the result. */
export interface RunsQuery {
  readonly text: string
  readonly outcome: Outcome | ''
  readonly reason: StopReason | ''
  readonly tag: string
  readonly open: boolean
  readonly cursor?: string
}

/** An empty or absent field does not restrict the result. `since` is a span such as `7d`. */
export interface InsightsQuery {
  readonly since?: string
  readonly aggregate?: string
  readonly model?: string
  readonly tag?: string
}

const eventsPerPage = 2_000
const runsPerPage = 50

const { api } = serviceClient({ url: location.origin })

/** The type of JSON has lost that an absent field is never undefined. */
const storedEvents = z.custom<readonly RunEvent[]>(Array.isArray)

const ofRun = (id: string) => ({ param: { id } })

export const service: Service = {
  session: async () => (await api.session.$get()).json(),
  summary: async (runId) => (await (await api.runs[':id'].summary.$get(ofRun(runId))).json()).run,
  details: async (runId) => (await api.runs[':id'].$get(ofRun(runId))).json(),
  events: async (runId, after) => {
    const query = { after, limit: eventsPerPage }
    const { events, next } = await (await api.runs[':id'].events.$get({ ...ofRun(runId), query })).json()
    return { events: storedEvents.parse(events), next }
  },
  follow,
  attachment: async (id, digest) =>
    (await api.runs[':id'].attachments[':digest'].$get({ param: { id, digest } })).text(),
  treeChanges: async (runId) => (await api.runs[':id'].changes.$get(ofRun(runId))).json(),
  runs: async ({ text, outcome, reason, tag, open, cursor }) => {
    const query = {
      ...{ limit: runsPerPage, cursor, text: filled(text), tag: filled(tag) },
      ...{ outcome: filled(outcome), reason: filled(reason), open: open ? ('true' as const) : undefined },
    }
    return (await api.runs.$get({ query })).json()
  },
  watch,
  questions: async () => (await (await api.questions.$get({ query: {} })).json()).questions,
  answer: (id, answer) => api.questions[':id'].answer.$post({ param: { id }, json: answer }),
  start: async (json) => (await api.runs.$post({ json })).json(),
  changeObjective: (runId, objective) =>
    api.runs[':id'].goal.$post({
      ...ofRun(runId),
      json: { change: { kind: 'objective-edited', objective } },
    }),
  cancel: (runId, reason) => api.runs[':id'].cancel.$post({ ...ofRun(runId), json: { reason } }),
  resume: (runId, topUp) =>
    api.runs[':id'].resume.$post({ ...ofRun(runId), json: topUp === undefined ? {} : { topUp } }),
  insights: async ({ since = '', aggregate = '', model = '', tag = '' }) => {
    const query = {
      since: filled(since),
      aggregate: filled(aggregate),
      model: filled(model),
      tag: filled(tag),
    }
    return (await api.insights.$get({ query })).json()
  },
}

function filled<Word extends string>(word: Word | ''): Word | undefined {
  return word === '' ? undefined : word
}

/** Reads a run's events when the shared stream reports it; a stream per run exhausts connections. */
function follow(runId: string, after: number, { happened, ended }: Follower): () => void {
  let last = after
  let isClosed = false
  const readAll = async () => {
    for (let next: number | null = last; next !== null && !isClosed;) {
      const page: EventsPage = await service.events(runId, next)
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
      const { runId: changedId, events } = runMessage.parse(JSON.parse(data))
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

const runMessage = z.custom<RunItem>(isObject)
const questionsMessage = z.object({ open: z.number() })

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function watch({ changed, questions, reload, connected }: Watcher): void {
  listenToStream(({ kind, data }) => {
    switch (kind) {
      case 'run':
        changed(runMessage.parse(JSON.parse(data)))
        break
      case 'questions':
        questions(questionsMessage.parse(JSON.parse(data)).open)
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

/** What `reportPage` of the service has written. */
const embeddedRun = z.custom<
  RunDetails & {
    readonly events: readonly RunEvent[]
    readonly attachments: Readonly<Record<string, string>>
  }
>(isObject)

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
        if (text === undefined) throw new Error('This output is not in the file. `donecheck export` has it.')
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
