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
  /** No two that run have the same. Letters, digits and hyphens. */
  readonly workerId: string
  readonly ingressUrl: string
  /** Defaults to port 9070 on the host of `ingressUrl`. */
  readonly adminUrl?: string
  readonly listen: Listening
  /** Where Restate reaches the worker. Defaults to the host and port it listens on. */
  readonly publicUrl?: string
  readonly identityKeys?: readonly string[]
  readonly version: string
  readonly labels: readonly string[]
  readonly slots: number
  readonly storeOf: (tenant: string) => Promise<Store>
  /** How often the worker reports that it is alive. Defaults to 3000. */
  readonly heartbeatMs?: number
}

export interface StartedWorker {
  readonly url: string
  drain(): Promise<void>
  /** At once, as a crash would: its runs go on when it is missed. */
  close(): Promise<void>
}

/** Shorter waits are waited for here: giving a run back takes about as long. */
const heldMs = 2_000
/**
 * Decisions of such a moment share an entry of the journal, which is forced onto a disk; one that takes longer is the last of its entry.
 * What is lost with an entry, the record of the run knows.
 */
const entryMs = 100
/** A step may be a whole turn of an agent: Restate asks nobody in the middle of one. A worker that is gone is missed by its heartbeat. */
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
    // Whoever had this name before is gone: what it was at goes on at once.
    await client.tell({ kind: 'worker-lost', workerId })
    await options.folders
      ?.removeEnded(async (runId) => (await client.run(runId))?.phase.kind === 'over')
      .catch((error: unknown) => log(messageOf(error)))
    await saySeen()
  } catch (error) {
    await served.close()
    throw error
  }
  // One at a time: what still waits to be heard when a worker dies would keep it alive for that long.
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

  /**
   * One for a run, whichever attempt asks: this worker may be given what it was taken to have lost, and is still at. Of two, one would
   * make the folder again while the other works in it.
   */
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

/** Undefined if this is not a wait to be held here: it is not for a time, or it is too long. */
async function shortWaitMs(end: PerformanceEnd, ctx: Context): Promise<number | undefined> {
  if (end.kind !== 'waiting' || end.for.kind !== 'time') return undefined
  const waitMs = end.for.untilMs - (await ctx.date.now())
  return waitMs <= heldMs ? Math.max(1, waitMs) : undefined
}
