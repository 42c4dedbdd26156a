/** The service on the other side of this page's own address: HTTP and Server-Sent Events. */
import type { z } from 'zod'
import * as shapes from './shapes.ts'
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

/** The browser reconnects by itself, and asks for what came after the last event that it has seen. */
function follow(runId: string, after: number, { happened, ended }: Follower): () => void {
  const stream = new EventSource(`/api/runs/${part(runId)}/stream${query({ after })}`)
  let last = after
  stream.addEventListener('run-event', ({ data }: MessageEvent<string>) => {
    const event = readAs(shapes.runEvent, JSON.parse(data))
    if (event.sequence <= last) return
    last = event.sequence
    happened(event)
  })
  stream.addEventListener('end', () => {
    stream.close()
    ended()
  })
  return () => stream.close()
}

function watch({ changed, questions, reload, connected }: Watcher): () => void {
  const stream = new EventSource('/api/stream')
  stream.addEventListener('run', ({ data }: MessageEvent<string>) =>
    changed(readAs(shapes.runItem, JSON.parse(data))),
  )
  stream.addEventListener('questions', ({ data }: MessageEvent<string>) =>
    questions(readAs(shapes.openQuestions, JSON.parse(data)).open),
  )
  stream.addEventListener('reload', () => reload())
  stream.addEventListener('open', () => connected(true))
  stream.addEventListener('error', () => connected(false))
  return () => stream.close()
}
