/** A worker as Restate calls it: the run's decisions, each a journalled step. */
import { service, type Context } from '@restatedev/restate-sdk'
import type { Store } from '@donecheck/engine/ports/store'
import {
  fleetClient,
  interruptOrder,
  performanceOrder,
  restateAdmin,
  adminUrlOf,
  runObjectName,
  serveEndpoint,
  tirelessly,
  workerServiceName,
  type FleetClient,
  type Listening,
  type PerformanceOrder,
  type RestateAdmin,
  type RunObject,
  type ServedEndpoint,
} from '../coordinator/index.ts'
import { messageOf } from '@donecheck/engine/base'
import { Performance, type JournalledStep } from './performance.ts'
import type { RunParts } from './ports.ts'

export interface WorkerOptions extends RunParts {
  /** Of this start of this worker: no two have the same. Letters, digits and hyphens. */
  readonly workerId: string
  readonly ingressUrl: string
  /** Default: port 9070 of the same host. */
  readonly adminUrl?: string
  readonly listen: Listening
  /** How Restate reaches it. Default: host and port that it listens on. */
  readonly publicUrl?: string
  readonly identityKeys?: readonly string[]
  readonly version: string
  readonly labels: readonly string[]
  /** Runs at a time. */
  readonly slots: number
  readonly storeOf: (tenant: string) => Promise<Store>
  /** How often it says that it is there. Default 3000. */
  readonly heartbeatMs?: number
}

export interface StartedWorker {
  readonly url: string
  /** Takes no more runs, ends the steps that it is at, gives the runs back, and is gone. */
  drain(): Promise<void>
  /** At once, as a crash would: its runs go on when it is missed. */
  close(): Promise<void>
}

/** Shorter waits are waited for here: giving a run back takes about as long. */
const heldMs = 2_000
/** A step may be a whole turn of an agent: Restate asks nobody in the middle of one. A worker that is gone is missed by its heartbeat. */
const patient = { inactivityTimeout: { days: 7 }, abortTimeout: { days: 7 } } as const

export async function startWorker(options: WorkerOptions): Promise<StartedWorker> {
  const { workerId, ingressUrl, listen, publicUrl, identityKeys, log, heartbeatMs = 3_000 } = options
  const admin = restateAdmin(options.adminUrl ?? adminUrlOf(ingressUrl))
  const desk = new Desk(options)
  const served = await serveEndpoint([desk.service(workerServiceName(workerId))], {
    ...{ listen, path: workerId, admin, log },
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(identityKeys === undefined ? {} : { identityKeys }),
  })
  const client = fleetClient(ingressUrl)
  const saySeen = () => seen(client, options, desk.isDraining)
  await saySeen()
  const heartbeat = setInterval(() => {
    saySeen().catch((error: unknown) => log(`the fleet does not hear of this worker: ${messageOf(error)}`))
  }, heartbeatMs)
  const close = async () => {
    clearInterval(heartbeat)
    await served.close()
  }
  return {
    url: served.url,
    close,
    async drain() {
      desk.isDraining = true
      await saySeen()
      await leave(served, admin)
      await client.tell({ kind: 'worker-lost', workerId })
      await close()
    },
  }
}

async function seen(client: FleetClient, options: WorkerOptions, draining: boolean): Promise<void> {
  const { workerId, version, labels, slots } = options
  await client.tell({ kind: 'worker-seen', workerId, version, labels: [...labels], slots, draining })
}

/** Between two looks. */
const lookEveryMs = 100

/** Restate asks here for nothing any more. */
async function leave({ deploymentId }: ServedEndpoint, admin: RestateAdmin): Promise<void> {
  while ((await admin.pendingOf(deploymentId)) > 0)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  await admin.remove(deploymentId)
}

/** Where the runs are that this worker has. */
class Desk {
  readonly #parts: RunParts
  readonly #performances = new Map<string, Performance>()
  isDraining = false

  constructor(parts: RunParts) {
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
          const { runId, attempt, by } = interruptOrder.parse(given)
          this.#performanceOf(runId, attempt).interrupt(by)
        },
      },
    })
  }

  async #perform(
    order: PerformanceOrder,
    ctx: Context,
  ): Promise<Exclude<JournalledStep, { kind: 'stepped' }>> {
    let sequence = 0
    for (let entry = 0; ; entry += 1) {
      const known = sequence
      const step = await ctx.run(`${order.request.runId}:${known}`, () => this.#step(order, entry, known))
      if (step.kind === 'stepped') sequence = step.sequence
      else if (
        step.kind === 'waiting' &&
        step.for.kind === 'time' &&
        isShort(step.for.untilMs, await ctx.date.now())
      )
        await ctx.sleep(Math.max(1, step.for.untilMs - (await ctx.date.now())))
      else return step
    }
  }

  #step(order: PerformanceOrder, entry: number, sequence: number): Promise<JournalledStep> {
    const performance = this.#performanceOf(order.request.runId, order.attempt)
    return this.isDraining ? performance.giveBack() : performance.step(order, entry, sequence)
  }

  #performanceOf(runId: string, attempt: number): Performance {
    const key = `${runId} ${attempt}`
    const known = this.#performances.get(key)
    if (known !== undefined) return known
    const performance = new Performance(this.#parts, () => this.#performances.delete(key))
    this.#performances.set(key, performance)
    return performance
  }
}

function isShort(untilMs: number, nowMs: number): boolean {
  return untilMs - nowMs <= heldMs
}
