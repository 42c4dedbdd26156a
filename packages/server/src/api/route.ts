/** One thing that can be asked of the service: everything about it stands in one row. */
import { z } from 'zod'
import type { RunEvent } from '@donecheck/core/events'
import type { RunSummary, Store } from '@donecheck/engine/ports/store'
import type { Role, User } from '../access/index.ts'
import type { Changes, SharedReadings } from '../live/index.ts'
import { Problem } from './problem.ts'
import type { RunItem, StartRequest, TopUpRequest } from './shapes/runs.ts'

/** The door to whatever starts runs: the service knows no command. */
export interface RunLauncher {
  /**
   * Begins a run under this id, in a process that outlives the service.
   * @throws {UsageError} where it cannot be begun so; nothing was started then
   */
  start(runId: string, request: StartRequest): Promise<LaunchedRun>
  /** Goes on with one that has stopped. @throws {UsageError} as `start` */
  resume(runId: string, topUp: TopUpRequest): Promise<LaunchedRun>
  /** Ends one wherever it is. Absent: its process is interrupted, where it is one of this machine. */
  cancel?(runId: string, by: string): Promise<void>
}

export interface LaunchedRun {
  /** Resolves when its process has ended, to what it said last. */
  readonly ended: Promise<string>
  /** It may not begin for long: nobody waits for that. */
  readonly isQueued?: true
}

/** What routes work with. */
export interface Workplace {
  readonly store: Store
  /** Null: nothing can be started here. */
  readonly launcher: RunLauncher | null
  readonly changes: Changes
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: () => number
  /** Latest events of runs, read once for all who follow them. */
  readonly tails: SharedReadings<readonly RunEvent[]>
  readonly itemsOf: (summaries: readonly RunSummary[]) => Promise<readonly RunItem[]>
  /** Undefined: there is no such run. */
  readonly itemOf: (runId: string) => Promise<RunItem | undefined>
  /** Runs and their processes that were told to end. */
  readonly interrupted: Set<string>
  /** Whoever asks for the same meanwhile waits for it, and begins nothing. @returns whether the work was this one */
  readonly once: (name: string, work: () => Promise<void>) => Promise<boolean>
  /** How many streams each user listens to. */
  readonly listeners: Map<string, number>
}

/** A request whose caller is known and may ask this. */
export interface Call<Query, Body> {
  readonly place: Workplace
  readonly user: User
  /** Of the path. */
  readonly id: string
  readonly digest: string
  readonly query: Query
  readonly body: Body
  readonly header: (name: string) => string | undefined
  /** Aborted when whoever asked has gone. */
  readonly signal: AbortSignal
}

interface RouteRow {
  /** `:id` and `:digest` may stand in it. */
  readonly path: string
  readonly role: Role
  readonly summary: string
  /** A shape of JSON, or the type of something else. */
  readonly answers: z.ZodType | 'text/plain' | 'text/event-stream'
  /** Default 200. */
  readonly status?: 200 | 202
}

/** A row that has forgotten its types: what comes in is parsed before it is handled. */
export interface Route extends RouteRow {
  readonly method: 'get' | 'post'
  readonly query: z.ZodType
  readonly body: z.ZodType
  /** Gives what is answered; a `Response` where it is no JSON. */
  readonly handle: (call: Call<unknown, unknown>) => Promise<unknown>
}

export const noQuery = z.strictObject({})

interface GetRow<Query> extends RouteRow {
  readonly query: z.ZodType<Query>
  readonly handle: (call: Call<Query, unknown>) => Promise<unknown>
}

/** Something that is looked at. */
export function get<Query>(row: GetRow<Query>): Route {
  return {
    ...{ ...row, method: 'get', body: z.undefined() },
    handle: async (call) => row.handle({ ...call, query: parseGiven(row.query, call.query, 'query') }),
  }
}

interface PostRow<Body> extends RouteRow {
  readonly body: z.ZodType<Body>
  readonly handle: (call: Call<unknown, Body>) => Promise<unknown>
}

/** Something that is done. */
export function post<Body>(row: PostRow<Body>): Route {
  return {
    ...{ ...row, method: 'post', query: noQuery },
    async handle(call) {
      const query = parseGiven(noQuery, call.query, 'query')
      return row.handle({ ...call, query, body: parseGiven(row.body, call.body, 'body') })
    },
  }
}

/** @throws {Problem} that names the first wrong place */
function parseGiven<Shape>(shape: z.ZodType<Shape>, given: unknown, where: string): Shape {
  const parsed = shape.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = [where, ...(issue?.path.map(String) ?? [])].join('.')
  throw new Problem(
    'invalid-request',
    `${place}: ${issue?.message ?? 'it is not of the form that is wanted'}`,
  )
}
