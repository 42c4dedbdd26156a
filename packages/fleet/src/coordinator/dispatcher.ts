/** The dispatcher as Restate keeps it: the schedule, told of everything, and the runs that it gives to workers. */
import { handlers, object, rpc, type ObjectContext, type ObjectSharedContext } from '@restatedev/restate-sdk'
import {
  openSchedule,
  savedScheduleSchema,
  scheduleFactSchema,
  type Limits,
  type SavedSchedule,
  type Schedule,
} from '../schedule/index.ts'
import { dispatcherKey, dispatcherName, tirelessly, type DispatcherObject } from './names.ts'
import { readMessage } from './read-message.ts'
import type { DispatcherFact } from './run-machine.ts'
import { tellRun } from './run-object.ts'

export interface DispatcherSettings {
  /** A worker that has been silent for so long is taken for lost. */
  readonly lostAfterMs: number
  /** In place of those that the schedule was told before. Absent: those. */
  readonly limits?: Limits
}

export function dispatcherObject({
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

/** One look is on its way at most, the earliest that is wanted; a later one follows from it. */
async function lookAgainAt(atMs: number, nowMs: number, ctx: ObjectContext): Promise<void> {
  const next = await ctx.get<number>('nextLookMs')
  if (next !== null && next <= atMs) return
  ctx.set('nextLookMs', atMs)
  ctx
    .objectSendClient<DispatcherObject>({ name: dispatcherName }, dispatcherKey)
    .look(rpc.sendOpts({ delay: Math.max(1, Math.ceil(atMs - nowMs)) }))
}
