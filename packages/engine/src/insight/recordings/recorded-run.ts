/**
 * The form in which recorded runs are replayed: one run per line of a file, or made of the events of a run of ours. Lines are
 * parsed once, here. What a source leaves out is taken as not known.
 */
import * as z from 'zod'
import type { CallFact } from '@donecheck/core/activity'
import type { JsonValue } from '@donecheck/core/events'
import type { Verdict } from '@donecheck/core/verdicts'
import { jsonOf } from '../../base/index.ts'

const callSchema = z.object({
  name: z.string(),
  /** May be cut: compare `argsDigest`, which is over all of them. */
  args: z.json(),
  argsDigest: z.string(),
  /** May be cut: compare `resultDigest`. Null: unknown. */
  result: z.string().nullable().default(null),
  resultDigest: z.string().nullable().default(null),
  /** Null: the source does not say. */
  isError: z.boolean().nullable().default(null),
})

const turnSchema = z.object({
  text: z.string().nullish(),
  toolCalls: z.array(callSchema).default([]),
  /** `in` counts the whole prompt of that call of the model. */
  tokens: z.object({ in: z.number().nullish(), out: z.number().nullish() }).nullish(),
  /** What came back that is no tool's result. */
  reply: z.string().nullish(),
  costUsd: z.number().nullish(),
  /** Score after this turn, 0 to 1, where somebody gave one. */
  reward: z.number().nullish(),
})

const runSchema = z.object({
  id: z.string(),
  model: z.string().nullable().default(null),
  agent: z.string().default(''),
  task: z.string().nullish(),
  /** What the agent was told first, cut. */
  prompt: z.string().nullish(),
  /** Where it comes from, and under which terms, for whoever hands it on. */
  source: z.string().nullish(),
  licence: z.string().nullish(),
  outcome: z.object({
    resolved: z.boolean().nullable().default(null),
    reward: z.number().nullish(),
    labels: z.array(z.string()).nullish(),
  }),
  /** How the run ended, in the words of its source. */
  exit: z.string().nullish(),
  /** Turns that the run was allowed. */
  stepLimit: z.number().nullish(),
  costUsd: z.number().nullish(),
  turns: z.array(turnSchema),
})

/** What the required checks said after a turn. */
export interface CheckedTurn {
  /** Fingerprint; undefined: it is not known. */
  readonly tree: string | undefined
  /** The drive had said that it was done. */
  readonly claimed: boolean
  readonly verdicts: readonly Verdict[]
  /** A score that an environment gave, and no check. */
  readonly isReward?: true
}

export type RecordedCall = Omit<z.infer<typeof callSchema>, 'args'> & {
  readonly args: JsonValue
  /** Whether it left a tree that was never seen. Absent: it is guessed. */
  readonly isNewTree?: boolean
  /** As it was read when it was recorded. Absent: it is read from the result. */
  readonly reading?: CallReading
}

/** What is compared of a result. */
export type CallReading = Pick<CallFact, 'outcome' | 'failure' | 'lines'>

/** What only our own record tells is optional. */
export type RecordedTurn = Omit<z.infer<typeof turnSchema>, 'toolCalls'> & {
  readonly toolCalls: readonly RecordedCall[]
  /** Retries included. Default 1. */
  readonly modelCalls?: number
  /** A further reply within the turn before: an agent with tools of its own. */
  readonly isStep?: true
  /** Active time of the run before it. */
  readonly startedMs?: number
  readonly checked?: CheckedTurn
}

export type RecordedRun = Omit<z.infer<typeof runSchema>, 'turns'> & {
  /** Where it came from: the name of a file, or of a store. */
  readonly file: string
  readonly turns: readonly RecordedTurn[]
  /** A bound ended it, and not its drive. Absent: told by `stepLimit`. */
  readonly isCut?: boolean
}

/** Undefined: the line is not a run in this form. */
export function parseRun(line: string, file: string): RecordedRun | undefined {
  const parsed = runSchema.safeParse(jsonOf(line))
  return parsed.success ? { ...parsed.data, file } : undefined
}

/**
 * The environment told the agent its reward and stopped it at the goal: a resolved run ends at once and can hardly loop, an
 * unresolved one is driven on. Such runs are reported apart.
 */
export function isOracleStopped(run: RecordedRun): boolean {
  return run.outcome.labels?.includes('oracle-stop') ?? false
}

/** The file, with the oracle-stopped part of it as a set of its own. */
export function dataSetOf(run: RecordedRun): string {
  return isOracleStopped(run) ? `${run.file} (oracle-stopped)` : run.file
}

/** What would have come after the end of the record is not known: a bound ended the run, and not its drive. */
export function isCut({ isCut: known, stepLimit, turns }: RecordedRun): boolean {
  return known ?? (stepLimit != null && turns.length >= stepLimit)
}
