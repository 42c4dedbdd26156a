import type { Context } from 'hono'
import { z } from 'zod'
import type { RunEvent } from '@donecheck/core/internal/events'
import { outcomes, stopReasons } from '@donecheck/core/internal/events/transitions'
import { goalChange, subGoal } from '@donecheck/core/internal/goal'
import { rowFold, runRowSchema } from '@donecheck/engine/internal/insight/insights'
import { goalControl } from '@donecheck/engine/internal/loop/compose'
import { given } from '@donecheck/engine/internal/base'
import { explainRun } from '@donecheck/engine/display'
import { eventStream } from '../../live/index.ts'
import { followAll, followRun } from '../follow.ts'
import { cancelRun, resumeRun, startRun } from '../launch.ts'
import { startRequest, topUp } from '../launcher.ts'
import { body, json, route, routes } from '../route.ts'
import { described, count, list, Problem, sequence, text, wholeWithin, withId } from '../shapes.ts'
import type { Environment } from '../route.ts'
import { itemOf, noSuchRun, recordOf, runItem, summaryOf } from '../workplace.ts'

const flag = z.enum(['true', 'false']).transform((word) => word === 'true')

const listQuery = z.strictObject({
  limit: wholeWithin(1, 200).default(50),
  cursor: z.string().max(500).optional(),
  outcome: z.enum(outcomes).optional(),
  reason: z.enum(stopReasons).optional(),
  tag: z.string().max(200).optional(),
  open: flag.optional(),
  text: z.string().max(500).optional(),
  all: flag.default(false),
})

const runPage = z.object({ runs: list(runItem), next: text.nullable() })

/** As recorded; `@donecheck/core` defines every kind. */
const storedEvent = z.custom<RunEvent>().meta({ id: 'StoredEvent', type: 'object' })

const eventPage = z.object({
  events: list(storedEvent),
  next: count.nullable().describe('`after` of the next page; null: there is nothing more now'),
})

const amount = z.number()

const explanation = z
  .object({
    runId: text,
    kind: z.enum(['run', 'verification', 'session']),
    task: text,
    by: text,
    end: z
      .object({
        outcome: text,
        reason: text,
        message: text,
        cap: text.optional(),
        detector: text.optional(),
        exitCode: count,
      })
      .nullable(),
    waiting: text.optional(),
    turns: count,
    missing: list(z.object({ name: text, status: text, reason: text, evidence: list(text) })),
    openParts: list(text),
    passed: list(text),
    spent: z.object({
      durationMs: amount,
      tokens: amount.nullable(),
      isEstimated: z.boolean(),
      costUsd: amount.nullable(),
      checksCostUsd: amount,
      caps: list(z.object({ cap: text, used: amount, limit: amount, words: text })),
    }),
    next: list(z.object({ command: text, why: text })),
  })
  .meta({ id: 'Explanation' })

const goalReport = described(
  z.object({
    runId: text,
    objective: text,
    subGoals: list(subGoal.extend({ checks: list(text), after: list(text), status: text })),
    hasStopped: z.boolean(),
  }),
  { id: 'GoalReport' },
)

const wholeRun = z.object({
  run: runItem,
  row: runRowSchema.meta({ id: 'RunRow' }),
  explanation,
  goal: goalReport,
})
export type WholeRun = z.output<typeof wholeRun>

const startAnswer = z.object({ runId: text })

const messages = {
  description: 'Server-sent events',
  content: { 'text/event-stream': { schema: text } },
}

export const runRoutes = routes()
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs',
      summary: 'Runs, the latest begun first, page by page',
      request: { query: listQuery },
      responses: { 200: json(runPage) },
    }),
    async (context) => {
      const { place } = context.var
      const { all, open, limit, ...query } = context.req.valid('query')
      const page = await place.store.listPage({
        ...given({ ...query, isOpen: open }),
        limit,
        withChecksOnly: all,
      })
      return context.json({ runs: await place.itemsOf(page.runs), next: page.next }, 200)
    },
  )
  .openapi(
    route('run', {
      method: 'post',
      path: '/api/runs',
      summary: 'Begins a run; with the header Idempotency-Key the same request again gives the same run',
      request: { body: body(startRequest) },
      responses: { 202: json(startAnswer) },
    }),
    async (context) => {
      const { place, user } = context.var
      const key = context.req.header('idempotency-key')
      return context.json({ runId: await startRun(place, context.req.valid('json'), user.name, key) }, 202)
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}',
      summary: 'One run: its figures, why it stopped or what is missing, its goal',
      request: { params: withId },
      responses: { 200: json(wholeRun) },
    }),
    async (context) => {
      const { place } = context.var
      const { id } = context.req.valid('param')
      const summary = await summaryOf(place.store, id)
      const { events, state } = await recordOf(place.store, id)
      const fold = rowFold()
      for (const event of events) fold.add(event)
      const [run] = await place.itemsOf([summary])
      const row = fold.row()
      if (run === undefined || row === undefined) throw noSuchRun(id)
      const isSession = (await place.store.hostSessions()).some(({ runId }) => runId === id)
      const explained = explainRun(state, { name: id, isSession })
      const goal = await goalControl(place.store).show(id)
      return context.json({ run, row, explanation: explained, goal }, 200)
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/summary',
      summary:
        'How a run stands, at once: of a run of any length no event is read, and what would have to be counted is 0',
      request: { params: withId },
      responses: { 200: json(z.object({ run: runItem })) },
    }),
    async (context) => {
      const summary = await summaryOf(context.var.place.store, context.req.valid('param').id)
      return context.json({ run: itemOf(summary, undefined) }, 200)
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/events',
      summary: 'Events of a run after one of them, in order',
      request: {
        params: withId,
        query: z.strictObject({ after: sequence.default(0), limit: wholeWithin(1, 2000).default(500) }),
      },
      responses: { 200: json(eventPage) },
    }),
    async (context) => {
      const { store } = context.var.place
      const { id } = context.req.valid('param')
      const { after, limit } = context.req.valid('query')
      const events = await store.readAfter(id, after, limit)
      if (events.length === 0) await summaryOf(store, id)
      const isFull = events.length === limit
      return context.json({ events, next: isFull ? (events.at(-1)?.sequence ?? null) : null }, 200)
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/stream',
      summary:
        'Events of a run as they happen (`event: run-event`), until it has stopped (`event: end`); goes on after Last-Event-ID',
      request: { params: withId, query: z.strictObject({ after: sequence.default(0) }) },
      responses: { 200: messages },
    }),
    async (context) => {
      const { place } = context.var
      const { id } = context.req.valid('param')
      const { reason, events: latest } = await summaryOf(place.store, id)
      const seen = lastSeen(context)
      // A browser reconnects after the end until it receives this response.
      if (seen !== undefined && reason !== undefined && seen >= latest) return context.body(null, 204)
      const after = seen ?? context.req.valid('query').after
      return listening(context, (signal) => followRun(place, id, after, signal))
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/stream',
      summary:
        'Runs that change (`event: run`), how many questions are open (`event: questions`), and that too much has changed to be told (`event: reload`); continues after Last-Event-ID, or after the id in `after`',
      request: { query: z.strictObject({ after: sequence.optional() }) },
      responses: { 200: messages },
    }),
    (context) => {
      const after = lastSeen(context) ?? context.req.valid('query').after
      return listening(context, (signal) => followAll(context.var.place, after, signal))
    },
  )
  .openapi(
    route('run', {
      method: 'post',
      path: '/api/runs/{id}/resume',
      summary: 'Goes on with a run that has stopped, with more budget where it is given',
      request: { params: withId, body: body(described(z.strictObject({ topUp: topUp.exactOptional() }))) },
      responses: { 202: json(startAnswer) },
    }),
    async (context) => {
      const { id } = context.req.valid('param')
      await resumeRun(context.var.place, id, context.req.valid('json').topUp ?? {})
      return context.json({ runId: id }, 202)
    },
  )
  .openapi(
    route('run', {
      method: 'post',
      path: '/api/runs/{id}/cancel',
      summary: 'Interrupts a run; it can be resumed',
      request: {
        params: withId,
        body: body(described(z.strictObject({ reason: text.max(1000).exactOptional() }))),
      },
      responses: {
        200: json(
          z.object({
            how: z
              .enum(['interrupted', 'paused', 'stopped'])
              .describe(
                'its process was told; the goal is paused before the next turn; it had stopped before',
              ),
          }),
        ),
      },
    }),
    async (context) => {
      const { place, user } = context.var
      const { reason } = context.req.valid('json')
      return context.json(
        { how: await cancelRun(place, context.req.valid('param').id, user.name, reason) },
        200,
      )
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/goal',
      summary: 'The goal of a run, its parts, and what was asked for and is not answered yet',
      request: { params: withId },
      responses: { 200: json(goalReport) },
    }),
    async (context) => {
      const { store } = context.var.place
      const { id } = context.req.valid('param')
      await summaryOf(store, id)
      return context.json(await goalControl(store).show(id), 200)
    },
  )
  .openapi(
    route('run', {
      method: 'post',
      path: '/api/runs/{id}/goal',
      summary: 'Asks for a change of the goal; the run answers before its next turn, or when it is resumed',
      request: {
        params: withId,
        // `goalId`: refused if the run has another goal by now.
        body: body(described(z.strictObject({ change: goalChange, goalId: text.exactOptional() }))),
      },
      responses: { 200: json(goalReport) },
    }),
    async (context) => {
      const { place, user } = context.var
      const { id } = context.req.valid('param')
      const { change, goalId } = context.req.valid('json')
      await summaryOf(place.store, id)
      const control = goalControl(place.store)
      await control.change(id, change, { by: user.name, ...(goalId === undefined ? {} : { goalId }) })
      return context.json(await control.show(id), 200)
    },
  )

/** @throws {Problem} if the header is not one of our numbers */
function lastSeen(context: Context<Environment>): number | undefined {
  const header = context.req.header('last-event-id')
  if (header === undefined) return undefined
  const parsed = sequence.safeParse(header)
  if (parsed.success) return parsed.data
  throw new Problem('invalid-request', 'Last-Event-ID is the id of an event of this stream, a whole number')
}

/** Per user: enough for several teams, and a limit for clients that never disconnect. */
const maxListeners = 500

function listening(
  context: Context<Environment>,
  follow: (signal: AbortSignal) => AsyncGenerator<string>,
): Response {
  const { place, user } = context.var
  const { listeners } = place
  const others = listeners.get(user.name) ?? 0
  if (others >= maxListeners)
    throw new Problem(
      'too-many-requests',
      `${user.name} listens to ${others} streams already; close some`,
      60,
    )
  listeners.set(user.name, others + 1)
  const gone = new AbortController()
  const over = AbortSignal.any([context.req.raw.signal, gone.signal])
  over.addEventListener('abort', () => listeners.set(user.name, (listeners.get(user.name) ?? 1) - 1), {
    once: true,
  })
  const hangUp = () => gone.abort()
  return new Response(eventStream(untilEnd(follow(over), hangUp), hangUp), {
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
