/** What one run says to a question over many: a row of figures, small enough that a hundred thousand are read at once. */
import { z } from 'zod'
import { outcomes, stopReasons } from '@donecheck/core/transitions'

/** A row of another version is made anew. */
export const rowVersion = 2

const text = z.string()
const count = z.number().int().nonnegative()
/** Clocks of old records may go backwards; sums of them are sums all the same. */
const amount = z.number()

const checkTotals = z.object({
  name: text,
  /** Verdicts that were really asked for, the baseline included; not those taken again, left out or waited for. */
  runs: count,
  /** Of them: `failed`, the baseline left out. What it has caught. */
  failures: count,
  /** Of them: called flaky. */
  flakes: count,
  ms: amount,
  costUsd: amount,
})

const counted = z.object({ name: text, count })

export const runRowSchema = z.object({
  version: z.literal(rowVersion),
  runId: text,
  /** One line. */
  task: text,
  startedAtMs: amount,
  /** Of the latest event. */
  updatedAtMs: amount,
  /** Null: the drive is an agent, and nobody has said which model it asks. */
  model: text.nullable(),
  /** `donecheck` where a model was driven by its loop. */
  agent: text,
  project: text.nullable(),
  policy: text,
  labels: z.array(text),
  /** It did a part of another run, whose row counts what it used. */
  isPart: z.boolean(),
  /** Null while the run has not stopped. */
  reason: z.enum(stopReasons).nullable(),
  outcome: z.enum(outcomes).nullable(),
  cap: text.nullable(),
  detector: text.nullable(),
  turns: count,
  modelCalls: count,
  toolCalls: count,
  messages: z.object({ user: count, assistant: count, tool: count }),
  inputTokens: count,
  cachedInputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  /** Null: of one call nobody knows the price. */
  costUsd: amount.nullable(),
  activeMs: amount,
  /** Of all checks, and of models that judge or write some. */
  checksCostUsd: amount,
  /** Turns that the drive ended by saying that it was done. */
  claims: count,
  /** Of them: while a required check had failed. */
  falseClaims: count,
  /** Whether all required checks had passed at the first claim. Null: there was none, or it could not be decided. */
  isFirstTry: z.boolean().nullable(),
  /** Verifications after the baseline until all required checks had passed. Null: they never did. */
  roundsToGreen: count.nullable(),
  checks: z.array(checkTotals),
  /** Warnings and stops, by their rule. */
  findings: z.array(counted),
  tools: z.array(counted),
  /** Changes of checks that somebody allowed by name. */
  overrides: count,
  /** Findings about changed checks that somebody waived by name. */
  waivers: count,
  /** What still failed after each of the latest verifications: tests, and required checks that count none. */
  failing: z.array(count),
})

export type RunRow = z.infer<typeof runRowSchema>
export type CheckTotals = z.infer<typeof checkTotals>
export type Counted = z.infer<typeof counted>
