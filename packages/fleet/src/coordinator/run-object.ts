/** A run as Restate keeps it: every handler is over at once, so a run that waits is in nobody's memory. */
import { handlers, object, rpc, type ObjectContext, type ObjectSharedContext } from '@restatedev/restate-sdk'
import type { RestateAdmin } from './admin.ts'
import {
  dispatcherKey,
  dispatcherName,
  runObjectName,
  tirelessly,
  workerServiceName,
  type DispatcherObject,
  type RunObject,
} from './names.ts'
import { readMessage } from './read-message.ts'
import { runAfter, type RunEffect } from './run-machine.ts'
import {
  fleetRun,
  runMessage,
  type FleetRun,
  type InterruptOrder,
  type PerformanceOrder,
  type RunMessage,
} from './shapes.ts'

export function runObject(admin: RestateAdmin): ReturnType<typeof object<typeof runObjectName, RunObject>> {
  return object({
    name: runObjectName,
    options: { ...tirelessly, journalRetention: 0 },
    handlers: {
      tell: async (ctx: ObjectContext, given: RunMessage): Promise<void> => {
        const message = readMessage(runMessage, given)
        const before = await readRun(ctx)
        const { run, effects } = runAfter(before, message, await ctx.date.now())
        if (run !== undefined && run !== before) ctx.set('run', run)
        for (const effect of effects) await perform(effect, ctx, admin)
      },
      status: handlers.object.shared(async (ctx: ObjectSharedContext): Promise<FleetRun | null> => {
        return (await readRun(ctx)) ?? null
      }),
    },
  })
}

async function readRun(ctx: ObjectContext | ObjectSharedContext): Promise<FleetRun | undefined> {
  const kept = await ctx.get<unknown>('run')
  return kept === null ? undefined : fleetRun.parse(kept)
}

async function perform(effect: RunEffect, ctx: ObjectContext, admin: RestateAdmin): Promise<void> {
  switch (effect.kind) {
    case 'tell-dispatcher':
      ctx.objectSendClient<DispatcherObject>({ name: dispatcherName }, dispatcherKey).tell(effect.fact)
      return
    case 'perform': {
      const service = workerServiceName(effect.workerId)
      const sent = ctx.genericSend({ service, method: 'perform', parameter: jsonOf(effect.order) })
      ctx.set('performance', await sent.invocationId)
      return
    }
    case 'interrupt': {
      const { workerId, by } = effect
      const parameter = jsonOf({ runId: ctx.key, by })
      ctx.genericSend({ service: workerServiceName(workerId), method: 'interrupt', parameter })
      return
    }
    case 'kill-performance': {
      const performance = await ctx.get<string>('performance')
      if (performance !== null) await ctx.run('kill', () => admin.killInvocation(performance))
      return
    }
    case 'tell-run':
      tellRun(ctx, effect.runId, effect.message)
      return
    case 'tell-itself':
      tellRun(ctx, ctx.key, effect.message, Math.max(0, effect.atMs - (await ctx.date.now())))
  }
}

export function tellRun(ctx: ObjectContext, runId: string, message: RunMessage, delay = 0): void {
  ctx
    .objectSendClient<RunObject>({ name: runObjectName }, runId)
    .tell(message, rpc.sendOpts(delay === 0 ? {} : { delay }))
}

/** The service of a worker is known by its name alone, not by its types. */
function jsonOf(order: PerformanceOrder | InterruptOrder): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(order))
}
