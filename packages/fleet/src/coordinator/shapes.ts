/** What travels between those who submit runs, the coordinator and the workers. Parsed where it comes in: it comes over the network. */
import { z } from 'zod'

const name = z.string().min(1)

/** A folder, part of an address, a name of Restate and of a branch: nothing that any of them would read otherwise, such as `..`. */
const runId = z.string().regex(/^\w(?:[\w-]|\.(?=\w)){0,119}$/)

/** A run that somebody wants the fleet to conduct. */
export const fleetRequest = z
  .strictObject({
    runId,
    tenant: name,
    task: name,
    /** Cloned by the worker. Without it and without a folder: there is nothing to work in, and only answers can be checked. */
    repository: z.strictObject({ url: name, revision: name }).exactOptional(),
    /** Absolute, on the machine of every worker that its labels allow. */
    folder: name.exactOptional(),
    /** Every one of them must be among the worker's. */
    labels: z.array(name),
    /** Among runs of its tenant: each point counts as ten minutes of waiting. */
    priority: z.number(),
    /** Whose models it calls, where that is limited for all runs together. */
    provider: name.exactOptional(),
    /** Of the workers. Absent: that of its first worker. */
    version: name.exactOptional(),
    /** What else whoever opens it on a worker is told: drive, checks, caps … */
    settings: z.record(z.string(), z.json()),
    /** Goes on with a run that has stopped, once for each id, with amounts more of its caps. Absent: one that has stopped stays so. */
    resume: z.strictObject({ id: name, topUp: z.record(z.string(), z.number()) }).exactOptional(),
    /** Of a part of another run: whose. */
    parent: z.strictObject({ runId, callId: name }).exactOptional(),
  })
  .refine(({ repository, folder }) => repository === undefined || folder === undefined, {
    error: 'a repository or a folder, not both',
  })
export type FleetRequest = Readonly<z.infer<typeof fleetRequest>>

const waiting = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('time'), untilMs: z.number(), because: z.enum(['retry', 'goal']) }),
  z.strictObject({ kind: z.literal('question'), id: name }),
  z.strictObject({ kind: z.literal('run'), runId: name, untilMs: z.number().nullable() }),
])

/** How a worker has left a run. */
export const performanceEnd = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('waiting'), for: waiting }),
  z.strictObject({ kind: z.literal('stopped'), reason: name, outcome: name, message: z.string() }),
  /** The worker is going; another one goes on. */
  z.strictObject({ kind: z.literal('gave-back') }),
  /** It could not go on: another try may. */
  z.strictObject({ kind: z.literal('broke'), message: z.string() }),
  /** It can never be opened as it was asked for. */
  z.strictObject({ kind: z.literal('refused'), message: z.string() }),
])
export type PerformanceEnd = Readonly<z.infer<typeof performanceEnd>>

/** What a worker is told to do. */
export const performanceOrder = z.strictObject({
  request: fleetRequest,
  attempt: z.int().positive(),
  /** Another worker had the run and is taken for lost: its lease is not waited for. */
  replaces: z.boolean(),
  /** Who wants it to end. */
  interruptedBy: name.exactOptional(),
})
export type PerformanceOrder = Readonly<z.infer<typeof performanceOrder>>

export const interruptOrder = z.strictObject({ runId, by: name })
export type InterruptOrder = Readonly<z.infer<typeof interruptOrder>>

/** What the object of a run keeps. */
export const fleetRun = z.strictObject({
  request: fleetRequest,
  /** Workers that it had so far. */
  attempt: z.int().nonnegative(),
  phase: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('queued') }),
    z.strictObject({ kind: z.literal('working'), workerId: name }),
    z.strictObject({ kind: z.literal('waiting'), for: waiting }),
    z.strictObject({ kind: z.literal('over'), reason: name, outcome: name.nullable(), message: z.string() }),
  ]),
  interruptedBy: name.exactOptional(),
  /** What it may come to wait for was seen while a worker had it. */
  isWoken: z.boolean(),
  /** A worker was lost that had it, and none has come so far since that the lease is its own. */
  isOrphan: z.boolean(),
  /** Attempts that broke, one after the other. */
  breaks: z.int().nonnegative(),
  /** What the latest of them said. */
  problem: z.string().default(''),
  /** Runs that wait for its end. */
  watchers: z.array(name),
})
export type FleetRun = Readonly<z.infer<typeof fleetRun>>

/** Whatever can happen to a run of the fleet. */
export const runMessage = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('submitted'), request: fleetRequest }),
  z.strictObject({ kind: z.literal('placed'), workerId: name, attempt: z.int().positive() }),
  z.strictObject({ kind: z.literal('left'), attempt: z.int().positive(), end: performanceEnd }),
  z.strictObject({ kind: z.literal('worker-lost'), attempt: z.int().positive() }),
  /** An answer was given, a goal was changed: it looks again. */
  z.strictObject({ kind: z.literal('woken') }),
  z.strictObject({ kind: z.literal('due'), attempt: z.int().positive() }),
  z.strictObject({ kind: z.literal('run-over'), runId: name }),
  z.strictObject({ kind: z.literal('watched'), by: name }),
  z.strictObject({ kind: z.literal('interrupted'), by: name }),
])
export type RunMessage = Readonly<z.infer<typeof runMessage>>
