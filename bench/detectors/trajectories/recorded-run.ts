/**
 * The form in which recorded runs are kept: one run per line of a `.jsonl.gz` file. Parsed once, here. What a source leaves out is
 * taken as not known.
 */
import * as z from 'zod'

const callSchema = z.object({
  name: z.string(),
  args: z.json(),
  /** Over the uncut arguments; `args` may be cut. */
  argsDigest: z.string(),
  result: z.string().nullable().default(null),
  resultDigest: z.string().nullable().default(null),
  isError: z.boolean().nullable().default(null),
})

const turnSchema = z.object({
  text: z.string().nullish(),
  toolCalls: z.array(callSchema).default([]),
  /** `in` counts the whole prompt of that call of the model. */
  tokens: z.object({ in: z.number().nullish(), out: z.number().nullish() }).nullish(),
  /** What came back that is no tool's result. */
  reply: z.string().nullish(),
})

const runSchema = z.object({
  id: z.string(),
  model: z.string().nullable().default(null),
  agent: z.string().default(''),
  task: z.string().nullish(),
  /** What the agent was told first, cut. */
  prompt: z.string().nullish(),
  outcome: z.object({
    resolved: z.boolean().nullable().default(null),
    labels: z.array(z.string()).nullish(),
  }),
  /** How the run ended, in the words of its source. */
  exit: z.string().nullish(),
  turns: z.array(turnSchema),
})

export type RecordedTurn = z.infer<typeof turnSchema>

/** A run with the name of the file it came from. */
export type RecordedRun = z.infer<typeof runSchema> & { readonly file: string }

/** Undefined: the line is not a run in this form. */
export function parseRun(line: string, file: string): RecordedRun | undefined {
  const parsed = runSchema.safeParse(jsonOf(line))
  return parsed.success ? { ...parsed.data, file } : undefined
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
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
