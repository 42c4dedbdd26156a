import { z } from 'zod'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { RunSummary, Store } from '@donecheck/engine/internal/ports/store'
import type { Role, User } from '../access/index.ts'
import type { Changes, SharedReadings } from '../live/index.ts'
import type { RunItem, StartRequest, TopUpRequest } from './shapes.ts'
import { CorruptEventError, messageOf, StoreError, UsageError } from '@donecheck/engine/internal/base'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { fold, type RunState } from '@donecheck/core/internal/state'

export interface RunLauncher {
  /** Starts a run in a process that outlives the service. @throws {UsageError} if nothing was started */
  start(runId: string, request: StartRequest): Promise<LaunchedRun>
  /** Resumes a stopped run. @throws {UsageError} as `start` */
  resume(runId: string, topUp: TopUpRequest): Promise<LaunchedRun>
  /** Ends a run anywhere. Default: interrupts its process on this machine. */
  cancel?(runId: string, by: string): Promise<void>
}

export interface LaunchedRun {
  readonly ended: Promise<string>
  /** It may start much later, so nobody waits. */
  readonly isQueued?: true
}

export interface Workplace {
  readonly store: Store
  /** Null if nothing can be started here. */
  readonly launcher: RunLauncher | null
  readonly changes: Changes
  readonly nowMs: () => number
  readonly tails: SharedReadings<readonly RunEvent[]>
  readonly itemsOf: (summaries: readonly RunSummary[]) => Promise<readonly RunItem[]>
  readonly itemOf: (runId: string) => Promise<RunItem | undefined>
  readonly interrupted: Set<string>
  /** Concurrent callers with one name share the work. @returns whether this work ran */
  readonly once: (name: string, work: () => Promise<void>) => Promise<boolean>
  readonly listeners: Map<string, number>
}

export interface Call<Query, Body> {
  readonly place: Workplace
  readonly user: User
  readonly id: string
  readonly digest: string
  readonly query: Query
  readonly body: Body
  readonly header: (name: string) => string | undefined
  readonly signal: AbortSignal
}

interface RouteRow {
  /** May contain `:id` and `:digest`. */
  readonly path: string
  readonly role: Role
  readonly summary: string
  readonly answers: z.ZodType | 'text/plain' | 'text/event-stream'
  readonly status?: 200 | 202
}

/** A row without its types; input is parsed before it is handled. */
export interface Route extends RouteRow {
  readonly method: 'get' | 'post'
  readonly query: z.ZodType
  readonly body: z.ZodType
  readonly handle: (call: Call<unknown, unknown>) => Promise<unknown>
}

export const noQuery = z.strictObject({})

type TypedRoute<Method, Path, Query, Body, Answers> = Route & {
  readonly method: Method
  readonly path: Path
  readonly query: Query
  readonly body: Body
  readonly answers: Answers
}

interface GetRow<Path, Query extends z.ZodType, Answers> extends RouteRow {
  readonly path: Path & string
  readonly query: Query
  readonly answers: Answers & RouteRow['answers']
  readonly handle: (call: Call<z.output<Query>, unknown>) => Promise<unknown>
}

export function get<const Path, Query extends z.ZodType, const Answers>(
  row: GetRow<Path, Query, Answers>,
): TypedRoute<'get', Path, Query, z.ZodUndefined, Answers> {
  return {
    ...{ ...row, method: 'get', body: z.undefined() },
    handle: async (call) => row.handle({ ...call, query: parseGiven(row.query, call.query, 'query') }),
  }
}

interface PostRow<Path, Body extends z.ZodType, Answers> extends RouteRow {
  readonly path: Path & string
  readonly body: Body
  readonly answers: Answers & RouteRow['answers']
  readonly handle: (call: Call<unknown, z.output<Body>>) => Promise<unknown>
}

export function post<const Path, Body extends z.ZodType, const Answers>(
  row: PostRow<Path, Body, Answers>,
): TypedRoute<'post', Path, typeof noQuery, Body, Answers> {
  return {
    ...{ ...row, method: 'post', query: noQuery },
    async handle(call) {
      const query = parseGiven(noQuery, call.query, 'query')
      return row.handle({ ...call, query, body: parseGiven(row.body, call.body, 'body') })
    },
  }
}

/** @throws {Problem} for the first invalid field */
function parseGiven<Shape extends z.ZodType>(shape: Shape, given: unknown, where: string): z.output<Shape> {
  const parsed = shape.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = [where, ...(issue?.path.map(String) ?? [])].join('.')
  throw new Problem(
    'invalid-request',
    `${place}: ${issue?.message ?? 'it is not of the form that is wanted'}`,
  )
}

export const problemCodes = {
  'invalid-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'foreign-origin': 403,
  'not-found': 404,
  conflict: 409,
  'damaged-record': 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  'unknown-host': 421,
  refused: 422,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Readonly<Record<string, ContentfulStatusCode>>

export type ProblemCode = keyof typeof problemCodes

export class Problem extends Error {
  readonly code: ProblemCode
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, message: string, retryAfterSeconds?: number) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Hides the text of unexpected failures, because it may contain anything. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof UsageError) return new Problem('refused', error.message)
  if (error instanceof CorruptEventError) return new Problem('damaged-record', messageOf(error))
  if (error instanceof StoreError)
    return new Problem(
      'unavailable',
      'the store cannot be read or written now; the log of the service says why',
      5,
    )
  return new Problem('internal', 'the service failed; its log says why')
}

/** @throws {Problem} if there is none */
export async function summaryOf(store: Store, runId: string): Promise<RunSummary> {
  const summary = await store.summary(runId)
  if (summary === undefined) throw noSuchRun(runId)
  return summary
}

/** @throws {Problem} if there is none or it is unreadable */
export async function recordOf(
  store: Store,
  runId: string,
): Promise<{ readonly events: readonly RunEvent[]; readonly state: RunState }> {
  const events = await store.read(runId)
  const state = fold(events)
  if (state === undefined) throw noSuchRun(runId)
  return { events, state }
}

function noSuchRun(runId: string): Problem {
  return new Problem(
    'not-found',
    `there is no run ${JSON.stringify(runId)}; GET /api/runs lists those that there are`,
  )
}
