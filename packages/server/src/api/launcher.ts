import { z } from 'zod'
import { completeWhenChoices, ruleModes, verifyWhenChoices } from '@donecheck/core/internal/base'
import { amounts, typedName } from '@donecheck/core/internal/budgets'
import { withJsonSchema } from './shapes.ts'

export interface RunLauncher {
  /** Starts a run in a process that outlives the service. @throws {UsageError} if nothing was started */
  start(runId: string, request: StartRequest): Promise<LaunchedRun>
  /** Resumes a stopped run. @throws {UsageError} as `start` */
  resume(runId: string, topUp: TopUpRequest): Promise<LaunchedRun>
  /** Ends a run anywhere. Default: interrupts its process on this machine. */
  cancel?(runId: string, by: string): Promise<void>
}

export interface LaunchedRun {
  readonly ended: Promise<string>
  /** The run may start much later, so callers do not wait. */
  readonly isQueued?: true
}

/** Builds the schema of a command-line argument, which cannot contain NUL. */
function argument(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\0]*$/, 'contains a NUL character')
}

/** May contain commands, which run as the service's user; the role `run` permits that. */
export const startRequest = withJsonSchema(
  z.strictObject({
    task: z.string().trim().min(1).max(200_000),
    workFolder: argument(4096).exactOptional(),
    until: z.array(argument(10_000)).max(50).exactOptional(),
    presets: z.array(z.enum(['tests', 'lint', 'typecheck', 'build'])).exactOptional(),
    agent: argument(10_000).exactOptional(),
    model: argument(500).exactOptional(),
    tags: z.array(argument(200)).max(20).exactOptional(),
    maxTurns: z.number().int().positive().exactOptional(),
    maxModelCalls: z.number().int().positive().exactOptional(),
    maxToolCalls: z.number().int().positive().exactOptional(),
    maxTokens: z.number().int().positive().exactOptional(),
    maxCostUsd: z.number().positive().exactOptional(),
    timeoutMs: z.number().positive().exactOptional().describe('active time'),
    completeWhen: z.enum(completeWhenChoices).exactOptional(),
    verifyWhen: z.enum(verifyWhenChoices).exactOptional(),
    loopDetection: z.enum(ruleModes).exactOptional(),
    stagnation: z.enum(ruleModes).exactOptional(),
  }),
  { id: 'StartRequest' },
)
export type StartRequest = z.output<typeof startRequest>

/** Keys are the flag names without `--max-`; times are in seconds. */
export const topUp = z.partialRecord(z.enum(amounts.map(typedName)), z.number().positive())

export type TopUpRequest = z.output<typeof topUp>
