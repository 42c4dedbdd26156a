import { z } from 'zod'
import { explainRun } from '@donecheck/engine/report'
import { goalControl } from '@donecheck/engine/internal/loop/compose'
import { rowFold } from '@donecheck/engine/internal/insight/insights'
import { outcomes, stopReasons } from '@donecheck/core/internal/events/transitions'
import { recordOf, summaryOf, get, noQuery, type Call, Problem, post } from '../route.ts'
import { followAll, followRun } from '../follow.ts'
import { itemOf } from '../workplace.ts'
import {
  flag,
  sequence,
  wholeWithin,
  eventPage,
  runItem,
  runPage,
  wholeRun,
  cancelAnswer,
  cancelRequest,
  goalReport,
  goalRequest,
  resumeRequest,
  startAnswer,
  startRequest,
} from '../shapes.ts'
import { eventStream } from '../../live/index.ts'
import { cancelRun, startRun, resumeRun } from '../launch.ts'

const listQuery = z.strictObject({
  limit: wholeWithin(1, 200).default(50),
  cursor: z.string().max(500).exactOptional(),
  outcome: z.enum(outcomes).exactOptional(),
  reason: z.enum(stopReasons).exactOptional(),
  label: z.string().max(200).exactOptional(),
  open: flag.exactOptional(),
  text: z.string().max(500).exactOptional(),
  all: flag.default(false),
})

const listRuns = get({
  path: '/api/runs',
  role: 'read',
  summary: 'Runs, the latest begun first, page by page',
  query: listQuery,
  answers: runPage,
  async handle({ place, query: { all, open, ...query } }) {
    const page = await place.store.listPage({
      ...query,
      ...(open === undefined ? {} : { isOpen: open }),
      withChecksOnly: all,
    })
    return { runs: await place.itemsOf(page.runs), next: page.next }
  },
})

const oneRun = get({
  path: '/api/runs/:id',
  role: 'read',
  summary: 'One run: its figures, why it stopped or what is missing, its goal',
  query: noQuery,
  answers: wholeRun,
  async handle({ place, id }) {
    const summary = await summaryOf(place.store, id)
    const { events, state } = await recordOf(place.store, id)
    const fold = rowFold()
    for (const event of events) fold.add(event)
    const [run] = await place.itemsOf([summary])
    const isSession = (await place.store.hostSessions()).some(({ runId }) => runId === id)
    const explanation = explainRun(state, { name: id, isSession })
    return { run, row: fold.row(), explanation, goal: await goalControl(place.store).show(id) }
  },
})

const summary = get({
  path: '/api/runs/:id/summary',
  role: 'read',
  summary:
    'How a run stands, at once: of a run of any length no event is read, and what would have to be counted is 0',
  query: noQuery,
  answers: z.object({ run: runItem }),
  handle: async ({ place, id }) => ({ run: itemOf(await summaryOf(place.store, id), undefined) }),
})

const events = get({
  path: '/api/runs/:id/events',
  role: 'read',
  summary: 'Events of a run after one of them, in order',
  query: z.strictObject({ after: sequence.default(0), limit: wholeWithin(1, 2000).default(500) }),
  answers: eventPage,
  async handle({ place, id, query: { after, limit } }) {
    const found = await place.store.readAfter(id, after, limit)
    if (found.length === 0) await summaryOf(place.store, id)
    const isFull = found.length === limit
    return { events: found, next: isFull ? (found.at(-1)?.sequence ?? null) : null }
  },
})

const stream = get({
  path: '/api/runs/:id/stream',
  role: 'read',
  summary:
    'Events of a run as they happen (`event: run-event`), until it has stopped (`event: end`); goes on after Last-Event-ID',
  query: z.strictObject({ after: sequence.default(0) }),
  answers: 'text/event-stream',
  async handle(call) {
    const { place, id, query } = call
    const { reason, events: latest } = await summaryOf(place.store, id)
    const seen = lastSeen(call)
    // A browser reconnects after the end until it receives this response.
    if (seen !== undefined && reason !== undefined && seen >= latest)
      return new Response(null, { status: 204 })
    return listening(call, (signal) => followRun(place, id, seen ?? query.after, signal))
  },
})

const streamOfAll = get({
  path: '/api/stream',
  role: 'read',
  summary:
    'Runs that change (`event: run`), how many questions are open (`event: questions`), and that too much has changed to be told (`event: reload`); continues after Last-Event-ID, or after the id in `after`',
  query: z.strictObject({ after: sequence.exactOptional() }),
  answers: 'text/event-stream',
  handle: async (call) =>
    listening(call, (signal) => followAll(call.place, lastSeen(call) ?? call.query.after, signal)),
})

/** @throws {Problem} if the header is not one of our numbers */
function lastSeen({ header }: Pick<Call<unknown, unknown>, 'header'>): number | undefined {
  const given = header('last-event-id')
  if (given === undefined) return undefined
  const parsed = sequence.safeParse(given)
  if (parsed.success) return parsed.data
  throw new Problem('invalid-request', 'Last-Event-ID is the id of an event of this stream, a whole number')
}

/** Per user: enough for several teams, and a limit for clients that never disconnect. */
const maxListeners = 500

async function listening(
  { signal, place: { listeners }, user: { name } }: Pick<Call<unknown, unknown>, 'signal' | 'place' | 'user'>,
  follow: (signal: AbortSignal) => AsyncGenerator<string>,
): Promise<Response> {
  const others = listeners.get(name) ?? 0
  if (others >= maxListeners)
    throw new Problem('too-many-requests', `${name} listens to ${others} streams already; close some`, 60)
  listeners.set(name, others + 1)
  const gone = new AbortController()
  const over = AbortSignal.any([signal, gone.signal])
  over.addEventListener('abort', () => listeners.set(name, (listeners.get(name) ?? 1) - 1), { once: true })
  const hangUp = () => gone.abort()
  const body = eventStream(untilEnd(follow(over), hangUp), hangUp)
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  })
}

async function* untilEnd(pieces: AsyncGenerator<string>, end: () => void): AsyncGenerator<string> {
  try {
    yield* pieces
  } finally {
    end()
  }
}

export const runRoutes = [listRuns, oneRun, summary, events, stream, streamOfAll]

const start = post({
  path: '/api/runs',
  role: 'run',
  summary: 'Begins a run; with the header Idempotency-Key the same request again gives the same run',
  body: startRequest,
  answers: startAnswer,
  status: 202,
  async handle({ place, user, body, header }) {
    return { runId: await startRun(place, body, user.name, header('idempotency-key')) }
  },
})

const resume = post({
  path: '/api/runs/:id/resume',
  role: 'run',
  summary: 'Goes on with a run that has stopped, with more budget where it is given',
  body: resumeRequest,
  answers: startAnswer,
  status: 202,
  async handle({ place, id, body }) {
    await resumeRun(place, id, body.topUp ?? {})
    return { runId: id }
  },
})

const cancel = post({
  path: '/api/runs/:id/cancel',
  role: 'run',
  summary: 'Interrupts a run; it can be resumed',
  body: cancelRequest,
  answers: cancelAnswer,
  handle: async ({ place, id, user, body }) => ({ how: await cancelRun(place, id, user.name, body.reason) }),
})

const goal = get({
  path: '/api/runs/:id/goal',
  role: 'read',
  summary: 'The goal of a run, its parts, and what was asked for and is not answered yet',
  query: noQuery,
  answers: goalReport,
  async handle({ place, id }) {
    await summaryOf(place.store, id)
    return goalControl(place.store).show(id)
  },
})

const changeGoal = post({
  path: '/api/runs/:id/goal',
  role: 'run',
  summary: 'Asks for a change of the goal; the run answers before its next turn, or when it is resumed',
  body: goalRequest,
  answers: goalReport,
  async handle({ place, id, user, body: { change, goalId } }) {
    await summaryOf(place.store, id)
    const control = goalControl(place.store)
    await control.change(id, change, { by: user.name, ...(goalId === undefined ? {} : { goalId }) })
    return control.show(id)
  },
})

export const workRoutes = [start, resume, cancel, goal, changeGoal]
