import { setTimeout as pause } from 'node:timers/promises'
import { service, type Context } from '@restatedev/restate-sdk'
import type { Store } from '@donecheck/engine/internal/ports/store'
import {
  fleetClient,
  interruptOrder,
  performanceOrder,
  readMessage,
  repeat,
  restateAdmin,
  adminUrlOf,
  runObjectName,
  serveEndpoint,
  tirelessly,
  workerServiceName,
  type Listening,
  type PerformanceEnd,
  type PerformanceOrder,
  type RunObject,
} from '../coordinator/index.ts'
import { messageOf } from '@donecheck/engine/internal/base'
import { Performance, type JournalledSteps, type RunParts, type PerformanceParts } from './performance.ts'

export interface WorkerOptions extends RunParts {
  /** Unique among running workers. Letters, digits and hyphens. */
  readonly workerId: string
  readonly ingressUrl: string
  /** Defaults to port 9070 on the host of `ingressUrl`. */
  readonly adminUrl?: string
  readonly listen: Listening
  /** The address for Restate. Default: the listening host and port. */
  readonly publicUrl?: string
  readonly identityKeys?: readonly string[]
  readonly version: string
  readonly labels: readonly string[]
  readonly slots: number
  readonly storeOf: (tenant: string) => Promise<Store>
  readonly heartbeatMs?: number
}

export interface StartedWorker {
  readonly url: string
  drain(): Promise<void>
  /** At once, as a crash would; its runs continue when it is missed. */
  close(): Promise<void>
}

/** Shorter waits stay here: returning a run takes about as long. */
const heldMs = 2_000
/** Decisions within this time share a synced journal entry. The record covers a lost entry. */
const entryMs = 100
/** A step may be an entire agent turn, so Restate must not time out; heartbeats detect losses. */
const patient = { inactivityTimeout: { days: 7 }, abortTimeout: { days: 7 } } as const

export async function startWorker(options: WorkerOptions): Promise<StartedWorker> {
  const { workerId, ingressUrl, listen, publicUrl, identityKeys, log, heartbeatMs = 3_000 } = options
  const admin = restateAdmin(options.adminUrl ?? adminUrlOf(ingressUrl))
  const client = fleetClient(ingressUrl)
  const desk = new Desk({ ...options, client })
  const served = await serveEndpoint([desk.service(workerServiceName(workerId))], {
    ...{ listen, path: workerId, admin, log },
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(identityKeys === undefined ? {} : { identityKeys }),
  })
  const { version, labels, slots } = options
  const fact = () => ({
    ...{ kind: 'worker-seen' as const, workerId, version, labels: [...labels], slots },
    draining: desk.isDraining,
  })
  const saySeen = async () => {
    await served.stayRegistered().catch((error: unknown) => log(messageOf(error)))
    await client.tell(fact())
  }
  try {
    // The earlier worker of this name is gone; its runs continue at once.
    await client.tell({ kind: 'worker-lost', workerId })
    await options.folders
      ?.removeEnded(async (runId) => (await client.run(runId))?.phase.kind === 'over')
      .catch((error: unknown) => log(messageOf(error)))
    await saySeen()
  } catch (error) {
    await served.close()
    throw error
  }
  // One at a time: pending requests would keep a dead worker alive.
  const endHeartbeat = repeat({
    look: async () => {
      await served.stayRegistered()
      await client.tellAndWait(fact())
    },
    everyMs: heartbeatMs,
    failed: 'the fleet does not hear of this worker',
    log,
  })
  const close = async () => {
    endHeartbeat()
    await served.close()
  }
  return {
    url: served.url,
    close,
    async drain() {
      desk.isDraining = true
      await saySeen()
      while ((await admin.pendingOf(workerServiceName(workerId))).length > 0) await pause(lookEveryMs)
      await client.tell({ kind: 'worker-lost', workerId })
      await close()
    },
  }
}

const lookEveryMs = 100

class Desk {
  readonly #parts: PerformanceParts
  readonly #performances = new Map<string, Performance>()
  isDraining = false

  constructor(parts: PerformanceParts) {
    this.#parts = parts
  }

  service(name: string) {
    return service({
      name,
      options: { ...tirelessly, ...patient, journalRetention: 0, ingressPrivate: true },
      handlers: {
        perform: async (ctx: Context, given: unknown): Promise<void> => {
          const order = performanceOrder.parse(given)
          const { runId } = order.request
          const end = await this.#perform(order, ctx)
          ctx
            .objectSendClient<RunObject>({ name: runObjectName }, runId)
            .tell({ kind: 'left', attempt: order.attempt, end })
        },
        interrupt: async (_ctx: Context, given: unknown): Promise<void> => {
          const { runId, by } = readMessage(interruptOrder, given)
          this.#performanceOf(runId).interrupt(by)
        },
      },
    })
  }

  async #perform(order: PerformanceOrder, ctx: Context): Promise<PerformanceEnd> {
    let sequence = 0
    for (let entry = 0; ; entry += 1) {
      const steps = await ctx.run(`${order.request.runId}:${sequence}`, () =>
        this.#steps(order, entry, sequence),
      )
      if (steps.kind === 'stepped') ({ sequence } = steps)
      else {
        const waitMs = await shortWaitMs(steps, ctx)
        if (waitMs === undefined) return steps
        await ctx.sleep(waitMs)
      }
    }
  }

  #steps(order: PerformanceOrder, entry: number, sequence: number): Promise<JournalledSteps> {
    const fullMs = performance.now() + entryMs
    return this.#performanceOf(order.request.runId).steps(order, {
      ...{ entry, sequence },
      isFull: () => performance.now() >= fullMs,
      isLeaving: () => this.isDraining,
    })
  }

  /** One per run: two performances of a run that came back would rebuild the same folder. */
  #performanceOf(runId: string): Performance {
    const known = this.#performances.get(runId)
    if (known !== undefined) return known
    const performance = new Performance(this.#parts, () => {
      if (this.#performances.get(runId) === performance) this.#performances.delete(runId)
    })
    this.#performances.set(runId, performance)
    return performance
  }
}

/** Undefined unless it is a short timed wait. */
async function shortWaitMs(end: PerformanceEnd, ctx: Context): Promise<number | undefined> {
  if (end.kind !== 'waiting' || end.for.kind !== 'time') return undefined
  const waitMs = end.for.untilMs - (await ctx.date.now())
  return waitMs <= heldMs ? Math.max(1, waitMs) : undefined
}
