import { z } from 'zod'
import { TerminalError } from '@restatedev/restate-sdk'
import type { ScheduleFact } from '../schedule/index.ts'

const name = z.string().min(1)

/** Used in folders, addresses, Restate names and branches, so it contains nothing special such as `..`. */
const runId = z.string().regex(/^\w(?:[\w-]|\.(?=\w)){0,119}$/)

export const fleetRequest = z
  .strictObject({
    runId,
    tenant: name,
    task: name,
    /** Cloned by the worker. Without repository and folder only replies can be checked. */
    repository: z.strictObject({ url: name, revision: name }).exactOptional(),
    folder: name.exactOptional(),
    labels: z.array(name),
    /** Among runs of its tenant; each point counts as ten minutes of waiting. */
    priority: z.number(),
    provider: name.exactOptional(),
    /** Version of the workers. Default: that of its first worker. */
    version: name.exactOptional(),
    settings: z.record(z.string(), z.json()),
    /** Resumes a stopped run once per id, with these top-ups. */
    resume: z.strictObject({ id: name, topUp: z.record(z.string(), z.number()) }).exactOptional(),
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

const performanceEnd = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('waiting'), for: waiting }),
  z.strictObject({ kind: z.literal('stopped'), reason: name, outcome: name, message: z.string() }),
  z.strictObject({ kind: z.literal('gave-back') }),
  z.strictObject({ kind: z.literal('broke'), message: z.string() }),
  z.strictObject({ kind: z.literal('refused'), message: z.string() }),
])
export type PerformanceEnd = Readonly<z.infer<typeof performanceEnd>>

export const performanceOrder = z.strictObject({
  request: fleetRequest,
  attempt: z.int().positive(),
  /** The earlier worker is lost, so its lease is not waited for. */
  replaces: z.boolean(),
  interruptedBy: name.exactOptional(),
})
export type PerformanceOrder = Readonly<z.infer<typeof performanceOrder>>

export const interruptOrder = z.strictObject({ runId, by: name })
export type InterruptOrder = Readonly<z.infer<typeof interruptOrder>>

export const fleetRun = z.strictObject({
  request: fleetRequest,
  attempt: z.int().nonnegative(),
  phase: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('queued') }),
    z.strictObject({ kind: z.literal('working'), workerId: name }),
    z.strictObject({ kind: z.literal('waiting'), for: waiting }),
    z.strictObject({ kind: z.literal('over'), reason: name, outcome: name.nullable(), message: z.string() }),
  ]),
  interruptedBy: name.exactOptional(),
  /** An update arrived while a worker had it. */
  isWoken: z.boolean(),
  /** Its worker was lost, and no later worker has taken over its lease. */
  isOrphan: z.boolean(),
  breaks: z.int().nonnegative(),
  problem: z.string().default(''),
  watchers: z.array(name),
})
export type FleetRun = Readonly<z.infer<typeof fleetRun>>

export const runMessage = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('submitted'), request: fleetRequest }),
  z.strictObject({ kind: z.literal('placed'), workerId: name, attempt: z.int().positive() }),
  z.strictObject({ kind: z.literal('left'), attempt: z.int().positive(), end: performanceEnd }),
  z.strictObject({ kind: z.literal('worker-lost'), attempt: z.int().positive() }),
  z.strictObject({ kind: z.literal('woken') }),
  z.strictObject({ kind: z.literal('due'), attempt: z.int().positive() }),
  z.strictObject({ kind: z.literal('run-over'), runId: name }),
  z.strictObject({ kind: z.literal('watched'), by: name }),
  z.strictObject({ kind: z.literal('interrupted'), by: name }),
])
export type RunMessage = Readonly<z.infer<typeof runMessage>>

/** @throws {TerminalError} if invalid, because other errors are retried and block what follows */
export function readMessage<Value>(schema: z.ZodType<Value>, given: unknown): Value {
  const read = schema.safeParse(given)
  if (read.success) return read.data
  throw new TerminalError(`this is no message for it: ${z.prettifyError(read.error)}`)
}

export type DispatcherFact = Untimed<ScheduleFact>

type Untimed<Fact> = Fact extends unknown ? Omit<Fact, 'atMs'> : never
