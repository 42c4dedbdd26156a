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
import { withJsonSchema, count, list, Problem, sequence, text, integerBetween, withId } from '../shapes.ts'
import type { Environment } from '../route.ts'
import { buildRunItem, noSuchRun, requireRecord, runItem, requireSummary } from '../workplace.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

const listQuery = z.strictObject({
  limit: integerBetween(1, 200).default(50),
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
  next: count.nullable().describe('`after` of the next page, or null if this is the last'),
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

const goalReport = withJsonSchema(
  z.object({
    runId: text,
    objective: text,
    subGoals: list(subGoal.extend({ checks: list(text), after: list(text), status: text })),
    hasStopped: z.boolean(),
  }),
  { id: 'GoalReport' },
)

const runDetails = z.object({
  run: runItem,
  row: runRowSchema.meta({ id: 'RunRow' }),
  explanation,
  goal: goalReport,
})
export type RunDetailsResponse = z.output<typeof runDetails>

const startResponse = z.object({ runId: text })

const messages = {
  description: 'Server-sent events',
  content: { 'text/event-stream': { schema: text } },
}

export const runRoutes = routes()
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs',
      summary: 'Runs, newest first, by page',
      request: { query: listQuery },
      responses: { 200: json(runPage) },
    }),
    async (context) => {
      const { workplace } = context.var
      const { all, open, limit, ...query } = context.req.valid('query')
      const page = await workplace.store.listPage({
        ...given({ ...query, isOpen: open }),
        limit,
        withChecksOnly: all,
      })
      return context.json({ runs: await workplace.readItems(page.runs), next: page.next }, 200)
    },
  )
  .openapi(
    route('run', {
      method: 'post',
      path: '/api/runs',
      summary: 'Starts a run; repeating a request with the same Idempotency-Key header returns the same run',
      request: { body: body(startRequest) },
      responses: { 202: json(startResponse) },
    }),
    async (context) => {
      const { workplace, user } = context.var
      const key = context.req.header('idempotency-key')
      return context.json(
        { runId: await startRun(workplace, context.req.valid('json'), user.name, key) },
        202,
      )
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}',
      summary: 'One run: its figures, why it stopped or what is missing, and its goal',
      request: { params: withId },
      responses: { 200: json(runDetails) },
    }),
    async (context) => {
      const { workplace } = context.var
      const { id } = context.req.valid('param')
      const summary = await requireSummary(workplace.store, id)
      const { events, state } = await requireRecord(workplace.store, id)
      const fold = rowFold()
      for (const event of events) fold.add(event)
      const [run] = await workplace.readItems([summary])
      const row = fold.row()
      if (run === undefined || row === undefined) throw noSuchRun(id)
      const isSession = (await workplace.store.hostSessions()).some(({ runId }) => runId === id)
      const explanation = explainRun(state, { name: id, isSession })
      const goal = await goalControl(workplace.store).show(id)
      return context.json({ run, row, explanation: explanation, goal }, 200)
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/summary',
      summary: 'Status of a run without reading its events; counted figures are 0',
      request: { params: withId },
      responses: { 200: json(z.object({ run: runItem })) },
    }),
    async (context) => {
      const summary = await requireSummary(context.var.workplace.store, context.req.valid('param').id)
      return context.json({ run: buildRunItem(summary, undefined) }, 200)
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/events',
      summary: 'Events of a run after one of them, in order',
      request: {
        params: withId,
        query: z.strictObject({ after: sequence.default(0), limit: integerBetween(1, 2000).default(500) }),
      },
      responses: { 200: json(eventPage) },
    }),
    async (context) => {
      const { store } = context.var.workplace
      const { id } = context.req.valid('param')
      const { after, limit } = context.req.valid('query')
      const events = await store.readAfter(id, after, limit)
      if (events.length === 0) await requireSummary(store, id)
      const isFull = events.length === limit
      return context.json({ events, next: isFull ? (events.at(-1)?.sequence ?? null) : null }, 200)
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/stream',
      summary:
        'Events of a run as they happen (`event: run-event`) until it stops (`event: end`); continues after Last-Event-ID',
      request: { params: withId, query: z.strictObject({ after: sequence.default(0) }) },
      responses: { 200: messages },
    }),
    async (context) => {
      const { workplace } = context.var
      const { id } = context.req.valid('param')
      const { reason, events: latest } = await requireSummary(workplace.store, id)
      const seen = readLastSeen(context)
      // A browser reconnects after the end until it receives this response.
      if (seen !== undefined && reason !== undefined && seen >= latest) return context.body(null, 204)
      const after = seen ?? context.req.valid('query').after
      return listening(context, (signal) => followRun(workplace, id, after, signal))
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/stream',
      summary:
        'Changed runs (`event: run`), the number of open questions (`event: questions`), or a request to reload after too many changes (`event: reload`); continues after Last-Event-ID, or after the id in `after`',
      request: { query: z.strictObject({ after: sequence.optional() }) },
      responses: { 200: messages },
    }),
    (context) => {
      const after = readLastSeen(context) ?? context.req.valid('query').after
      return listening(context, (signal) => followAll(context.var.workplace, after, signal))
    },
  )
  .openapi(
    route('run', {
      method: 'post',
      path: '/api/runs/{id}/resume',
      summary: 'Continues a stopped run, with more budget if `topUp` is given',
      request: {
        params: withId,
        body: body(withJsonSchema(z.strictObject({ topUp: topUp.exactOptional() }))),
      },
      responses: { 202: json(startResponse) },
    }),
    async (context) => {
      const { id } = context.req.valid('param')
      await resumeRun(context.var.workplace, id, context.req.valid('json').topUp ?? {})
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
        body: body(withJsonSchema(z.strictObject({ reason: text.max(1000).exactOptional() }))),
      },
      responses: {
        200: json(
          z.object({
            how: z
              .enum(['interrupted', 'paused', 'stopped'])
              .describe('process interrupted, goal paused before the next turn, or already stopped'),
          }),
        ),
      },
    }),
    async (context) => {
      const { workplace, user } = context.var
      const { reason } = context.req.valid('json')
      return context.json(
        { how: await cancelRun(workplace, context.req.valid('param').id, user.name, reason) },
        200,
      )
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/goal',
      summary: 'The goal of a run, its sub-goals, and pending changes',
      request: { params: withId },
      responses: { 200: json(goalReport) },
    }),
    async (context) => {
      const { store } = context.var.workplace
      const { id } = context.req.valid('param')
      await requireSummary(store, id)
      return context.json(await goalControl(store).show(id), 200)
    },
  )
  .openapi(
    route('run', {
      method: 'post',
      path: '/api/runs/{id}/goal',
      summary: 'Requests a change of the goal; the run applies it before its next turn or when it is resumed',
      request: {
        params: withId,
        // With `goalId`, the change is refused if the run has a different goal by now.
        body: body(withJsonSchema(z.strictObject({ change: goalChange, goalId: text.exactOptional() }))),
      },
      responses: { 200: json(goalReport) },
    }),
    async (context) => {
      const { workplace, user } = context.var
      const { id } = context.req.valid('param')
      const { change, goalId } = context.req.valid('json')
      await requireSummary(workplace.store, id)
      const control = goalControl(workplace.store)
      await control.change(id, change, { by: user.name, ...(goalId === undefined ? {} : { goalId }) })
      return context.json(await control.show(id), 200)
    },
  )

/** @throws {Problem} if the header is not an event number */
function readLastSeen(context: Context<Environment>): number | undefined {
  const header = context.req.header('last-event-id')
  if (header === undefined) return undefined
  const parsed = sequence.safeParse(header)
  if (parsed.success) return parsed.data
  throw new Problem('invalid-request', 'Last-Event-ID must be the number of an event of this stream')
}

/** Per user. Stops clients that never disconnect. */
const maxListeners = 500

function listening(
  context: Context<Environment>,
  follow: (signal: AbortSignal) => AsyncGenerator<string>,
): Response {
  const { workplace, user } = context.var
  const { listeners } = workplace
  const others = listeners.get(user.name) ?? 0
  if (others >= maxListeners)
    throw new Problem('too-many-requests', `${user.name} already has ${others} open streams. Close some.`, 60)
  listeners.set(user.name, others + 1)
  const disconnected = new AbortController()
  const closing = AbortSignal.any([context.req.raw.signal, disconnected.signal])
  closing.addEventListener('abort', () => listeners.set(user.name, (listeners.get(user.name) ?? 1) - 1), {
    once: true,
  })
  const hangUp = () => disconnected.abort()
  return new Response(eventStream(untilEnd(follow(closing), hangUp), hangUp), {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  })
}

async function* untilEnd(chunks: AsyncGenerator<string>, end: () => void): AsyncGenerator<string> {
  try {
    yield* chunks
  } finally {
    end()
  }
}
