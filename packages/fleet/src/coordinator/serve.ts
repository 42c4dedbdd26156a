import { once } from 'node:events'
import { createServer, type ServerHttp2Session } from 'node:http2'
import {
  createEndpointHandler,
  type EndpointOptions as Handling,
  type LoggerTransport,
  handlers,
  object,
  rpc,
  type ObjectContext,
  type ObjectSharedContext,
} from '@restatedev/restate-sdk'
import {
  type RestateAdmin,
  dispatcherKey,
  dispatcherName,
  tirelessly,
  type DispatcherObject,
} from './client.ts'
import { runObject, tellRun } from './run-machine.ts'
import { type DispatcherFact } from './shapes.ts'
import {
  openSchedule,
  savedScheduleSchema,
  scheduleFactSchema,
  type Limits,
  type SavedSchedule,
  type Schedule,
} from '../schedule/index.ts'
import { readMessage } from './shapes.ts'

export interface Listening {
  readonly host: string
  readonly port: number
}

interface EndpointOptions {
  readonly listen: Listening
  /** The address for Restate. Default: the listening host and port. */
  readonly publicUrl?: string
  readonly path: string
  readonly admin: RestateAdmin
  /** Public keys of the only Restate that may call. Absent: any caller may. */
  readonly identityKeys?: readonly string[]
  readonly log?: (message: string) => void
}

export interface ServedEndpoint {
  readonly url: string
  /** Registers again if Restate removed the endpoint as lost. */
  stayRegistered(): Promise<void>
  close(): Promise<void>
}

/** Rejects if Restate and the endpoint cannot reach each other. */
export async function serveEndpoint(
  services: Handling['services'],
  { listen, publicUrl, path, admin, identityKeys = [], log }: EndpointOptions,
): Promise<ServedEndpoint> {
  const handler = createEndpointHandler({
    services,
    identityKeys: [...identityKeys],
    logger: warningsTo(log ?? (() => undefined)),
  })
  const server = createServer(handler)
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  server.listen(listen.port, listen.host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : listen.port
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host
  const url = `${publicUrl ?? `http://${host}:${port}`}/${path}`
  const close = async () => {
    for (const session of sessions) session.destroy()
    server.close()
    await once(server, 'close')
  }
  try {
    let deploymentId = await admin.register(url)
    const stayRegistered = async () => {
      if (!(await admin.isRegistered(deploymentId))) deploymentId = await admin.register(url)
    }
    return { url, stayRegistered, close }
  } catch (error) {
    await close()
    throw error
  }
}

const bad: readonly string[] = ['warn', 'error']

function warningsTo(log: (message: string) => void): LoggerTransport {
  return ({ level }, message, ...rest: readonly unknown[]) => {
    const isBad = bad.includes(level)
    if (isBad) log([message, ...rest].map(String).join(' '))
  }
}

interface CoordinatorOptions extends Omit<EndpointOptions, 'path'>, DispatcherSettings {
  readonly version: string
}

/** Serves the run and dispatcher objects. Stateless: it can be killed and restarted at any time. */
export async function serveCoordinator(options: CoordinatorOptions): Promise<ServedEndpoint> {
  const { version, admin } = options
  const path = `coordinator-${version}`
  return serveEndpoint([runObject(admin), dispatcherObject(options)], { ...options, path })
}

interface DispatcherSettings {
  /** Silence after which a worker counts as lost. */
  readonly lostAfterMs: number
  readonly limits?: Limits
}

function dispatcherObject({
  lostAfterMs,
  limits,
}: DispatcherSettings): ReturnType<typeof object<typeof dispatcherName, DispatcherObject>> {
  return object({
    name: dispatcherName,
    options: { ...tirelessly, journalRetention: 0 },
    handlers: {
      tell: async (ctx: ObjectContext, given: DispatcherFact): Promise<void> => {
        const nowMs = await ctx.date.now()
        const fact = readMessage(scheduleFactSchema, { ...given, atMs: nowMs })
        const schedule = await openSaved(ctx)
        if (limits !== undefined) schedule.tell({ kind: 'limits-set', atMs: nowMs, limits })
        if (fact.kind === 'worker-lost') loseWorker(schedule, fact.workerId, nowMs, ctx)
        else schedule.tell(fact)
        if (fact.kind === 'worker-seen') await lookAgainAt(nowMs + lostAfterMs + 1, nowMs, ctx)
        await placeRuns(schedule, nowMs, ctx)
      },
      look: async (ctx: ObjectContext): Promise<void> => {
        const nowMs = await ctx.date.now()
        ctx.clear('nextLookMs')
        const schedule = await openSaved(ctx)
        for (const workerId of schedule.silentSince(nowMs - lostAfterMs))
          loseWorker(schedule, workerId, nowMs, ctx)
        await placeRuns(schedule, nowMs, ctx)
        const seen = schedule.saved().workers.map(({ seenMs }) => seenMs)
        // When the first of them is lost, unless it is seen again.
        if (seen.length > 0) await lookAgainAt(Math.min(...seen) + lostAfterMs + 1, nowMs, ctx)
      },
      status: handlers.object.shared(async (ctx: ObjectSharedContext): Promise<SavedSchedule> => {
        return (await openSaved(ctx)).saved()
      }),
    },
  })
}

async function openSaved(ctx: ObjectContext | ObjectSharedContext): Promise<Schedule> {
  const saved = await ctx.get<unknown>('schedule')
  return openSchedule(saved === null ? undefined : savedScheduleSchema.parse(saved))
}

function loseWorker(schedule: Schedule, workerId: string, nowMs: number, ctx: ObjectContext): void {
  for (const { runId, attempt } of schedule.runsOf(workerId))
    tellRun(ctx, runId, { kind: 'worker-lost', attempt })
  schedule.tell({ kind: 'worker-lost', atMs: nowMs, workerId })
}

async function placeRuns(schedule: Schedule, nowMs: number, ctx: ObjectContext): Promise<void> {
  const { placements, lookAgainAtMs } = schedule.place(nowMs)
  for (const { runId, workerId, attempt } of placements)
    tellRun(ctx, runId, { kind: 'placed', workerId, attempt })
  ctx.set('schedule', schedule.saved())
  if (lookAgainAtMs !== undefined && lookAgainAtMs > nowMs) await lookAgainAt(lookAgainAtMs, nowMs, ctx)
}

/** Only the earliest wake-up is scheduled; later ones follow from it. */
async function lookAgainAt(atMs: number, nowMs: number, ctx: ObjectContext): Promise<void> {
  const next = await ctx.get<number>('nextLookMs')
  if (next !== null && next <= atMs) return
  ctx.set('nextLookMs', atMs)
  ctx
    .objectSendClient<DispatcherObject>({ name: dispatcherName }, dispatcherKey)
    .look(rpc.sendOpts({ delay: Math.max(1, Math.ceil(atMs - nowMs)) }))
}
