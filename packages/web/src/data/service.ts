/** The service at this page's own address: HTTP and server-sent events. */
import type { z } from 'zod'
import * as shapes from './shapes.ts'
import { listenToStream, startStream } from './shared-stream.ts'
import { SourceError, type Answer, type Follower, type Service, type Watcher } from './source.ts'

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

/** What is empty is not asked for. */
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

/** @throws {SourceError} where there is no answer, or it is a refusal */
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

/** Reads the events of a run when the shared stream reports a change of it: a stream for each run would use up the connections. */
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
  // If the service does not answer, the stream opens again later, and the rest is read then.
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
