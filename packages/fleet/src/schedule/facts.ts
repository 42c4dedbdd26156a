import { z } from 'zod'

const name = z.string().min(1)

const timeMs = z.number()

const count = z.int().nonnegative()

const runRequestSchema = z.strictObject({
  runId: name,
  tenant: name,
  /** Among runs of one tenant; each point counts as ten minutes of waiting. */
  priority: z.number(),
  labels: z.array(name),
  version: name.optional(),
  /** A folder holds one run from its first worker to its end, waits included. Default: its own folder. */
  folder: name.optional(),
  provider: name.optional(),
  parent: name.optional(),
})

export type RunRequest = Readonly<z.infer<typeof runRequestSchema>>

const tenantLimits = z.strictObject({ atOnce: count.optional() })

const providerLimits = z.strictObject({
  /** Limit of runs on workers; each makes one model call at a time. */
  atOnce: count.optional(),
  /** Token bucket for placements, not for model calls. */
  bucket: z.strictObject({ perMinute: z.number().positive(), burst: z.int().positive() }).optional(),
})

export const limitsSchema = z.strictObject({
  everyTenant: tenantLimits.optional(),
  tenants: z.record(z.string(), tenantLimits).optional(),
  providers: z.record(z.string(), providerLimits).optional(),
})

export type Limits = Readonly<z.infer<typeof limitsSchema>>

export const worker = {
  workerId: name,
  version: name,
  labels: z.array(name),
  slots: count,
  draining: z.boolean(),
}

/** Idempotent. Unknown runs and past attempts are ignored. */
export const scheduleFactSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('run-submitted'), atMs: timeMs, run: runRequestSchema }),
  z.strictObject({ kind: z.literal('run-waiting'), atMs: timeMs, runId: name, attempt: count }),
  /** Its wait ended or its attempt failed, so it needs a worker. */
  z.strictObject({ kind: z.literal('run-ready'), atMs: timeMs, runId: name, attempt: count }),
  z.strictObject({ kind: z.literal('run-finished'), atMs: timeMs, runId: name }),
  z.strictObject({ kind: z.literal('worker-seen'), atMs: timeMs, ...worker }),
  z.strictObject({ kind: z.literal('worker-lost'), atMs: timeMs, workerId: name }),
  /** The provider refuses or is down; none of its runs is placed before `untilMs`. */
  z.strictObject({ kind: z.literal('provider-limited'), atMs: timeMs, provider: name, untilMs: timeMs }),
  /** Replaces all limits. Runs on workers keep them. */
  z.strictObject({ kind: z.literal('limits-set'), atMs: timeMs, limits: limitsSchema }),
])

export type ScheduleFact = Readonly<z.infer<typeof scheduleFactSchema>>

export interface Placement {
  readonly runId: string
  readonly workerId: string
  /** Counts the workers of this run, from 1. Facts about earlier attempts are ignored. */
  readonly attempt: number
}

export interface Placements {
  readonly placements: readonly Placement[]
  /** When a provider next allows a placeable run; undefined if only facts change anything. */
  readonly lookAgainAtMs: number | undefined
}

const stageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('queued') }),
  z.strictObject({ kind: z.literal('placed'), workerId: name, sinceMs: timeMs }),
  z.strictObject({ kind: z.literal('waiting') }),
])

const scheduledRunSchema = z.strictObject({
  request: runRequestSchema,
  submittedMs: timeMs,
  attempt: count,
  lastWorkerId: name.optional(),
  stage: stageSchema,
})

export type ScheduledRun = Readonly<z.infer<typeof scheduledRunSchema>>

export const savedScheduleSchema = z.strictObject({
  runs: z.array(scheduledRunSchema),
  workers: z.array(z.strictObject({ ...worker, seenMs: timeMs })),
  usedMs: z.record(z.string(), timeMs),
  virtualMs: timeMs,
  providers: z.record(z.string(), z.strictObject({ closedUntilMs: timeMs, arrivalMs: timeMs })),
  limits: limitsSchema,
})

export type SavedSchedule = Readonly<z.infer<typeof savedScheduleSchema>>
