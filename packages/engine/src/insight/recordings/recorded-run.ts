/** A recorded run: one per line of a file, or built from our events. What a source omits is unknown. */
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { CallFact } from '@donecheck/core/internal/state/activity'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import * as z from 'zod'
import { given, jsonOf, messageOf } from '../../base/index.ts'

const callSchema = z.object({
  name: z.string(),
  /** May be cut; compare `argsDigest`, which covers all of them. */
  args: z.json(),
  argsDigest: z.string(),
  /** May be cut; compare `resultDigest`. Null if unknown. */
  result: z.string().nullable().default(null),
  resultDigest: z.string().nullable().default(null),
  /** Null if the source does not say. */
  isError: z.boolean().nullable().default(null),
})

const turnSchema = z.object({
  text: z.string().nullish(),
  toolCalls: z.array(callSchema).default([]),
  /** `in` counts the full prompt of that request. */
  tokens: z.object({ in: z.number().nullish(), out: z.number().nullish() }).nullish(),
  /** A message to the agent that is not a tool result. */
  reply: z.string().nullish(),
  costUsd: z.number().nullish(),
  /** Score after this turn, 0 to 1, if an environment gave one. */
  reward: z.number().nullish(),
})

const runSchema = z.object({
  id: z.string(),
  model: z.string().nullable().default(null),
  agent: z.string().default(''),
  task: z.string().nullish(),
  /** First message to the agent, cut. */
  prompt: z.string().nullish(),
  /** Origin and license. */
  source: z.string().nullish(),
  licence: z.string().nullish(),
  outcome: z.object({
    resolved: z.boolean().nullable().default(null),
    reward: z.number().nullish(),
    labels: z.array(z.string()).nullish(),
  }),
  /** End of the run, as named by its source. */
  exit: z.string().nullish(),
  /** Turn limit of the run. */
  stepLimit: z.number().nullish(),
  costUsd: z.number().nullish(),
  turns: z.array(turnSchema),
})

export interface CheckedTurn {
  readonly tree: string | undefined
  /** The agent had claimed to be done. */
  readonly claimed: boolean
  readonly verdicts: readonly Verdict[]
  /** A score from an environment, not from a check. */
  readonly isReward?: true
}

export type RecordedCall = Omit<z.infer<typeof callSchema>, 'args'> & {
  readonly args: JsonValue
  /** Whether the call left a new tree; guessed if absent. */
  readonly isNewTree?: boolean
  /** The recorded reading; derived from the result if absent. */
  readonly reading?: CallReading
}

type CallReading = Pick<CallFact, 'outcome' | 'failure' | 'lines'>

/** Only our own records have the optional fields. */
export type RecordedTurn = Omit<z.infer<typeof turnSchema>, 'toolCalls'> & {
  readonly toolCalls: readonly RecordedCall[]
  /** Includes retries. Default: 1. */
  readonly modelCalls?: number
  /** A further reply within the same turn, by an agent with its own tools. */
  readonly isStep?: true
  readonly startedMs?: number
  readonly checked?: CheckedTurn
}

export type RecordedRun = Omit<z.infer<typeof runSchema>, 'turns'> & {
  readonly file: string
  readonly turns: readonly RecordedTurn[]
  /** A limit ended the run, not the agent; derived from `stepLimit` if absent. */
  readonly isCut?: boolean
}

/** Undefined if the line is not a run in this form. */
export function parseRun(line: string, file: string): RecordedRun | undefined {
  const parsed = runSchema.safeParse(jsonOf(line))
  return parsed.success ? { ...parsed.data, file } : undefined
}

/** The environment stopped the agent at the goal, so a resolved run hardly loops; reported apart. */
export function isOracleStopped(run: RecordedRun): boolean {
  return run.outcome.labels?.includes('oracle-stop') ?? false
}

/** The file; its oracle-stopped runs are a separate set. */
export function dataSetOf(run: RecordedRun): string {
  return isOracleStopped(run) ? `${run.file} (oracle-stopped)` : run.file
}

/** Whether a limit ended the run, so that what would follow is unknown. */
export function isCut({ isCut: known, stepLimit, turns }: RecordedRun): boolean {
  return known ?? (stepLimit != null && turns.length >= stepLimit)
}

export const groundTruthSchema = z.object({
  resolved: z.boolean().nullable(),
  reward: z.number().nullable(),
  labels: z.array(z.string()),
})

const originSchema = z.object({
  id: z.string(),
  source: z.string().nullable(),
  licence: z.string().nullable(),
  agent: z.string(),
  exit: z.string().nullable(),
  /** Ground truth according to the source: a label, not a verdict of ours. */
  outcome: groundTruthSchema,
})

export type Origin = Readonly<z.infer<typeof originSchema>>

export function originOf(recipe: JsonValue): Origin | undefined {
  const parsed = z.object({ importedTrajectory: originSchema }).safeParse(recipe)
  return parsed.success ? parsed.data.importedTrajectory : undefined
}

export interface CallStep extends Readonly<Omit<RecordedCall, 'name'>> {
  readonly kind: 'call'
  /** Counted from 0 over the full run. */
  readonly index: number
  /** Calls of one turn are a batch. */
  readonly turn: number
  readonly tool: string
}

interface TurnUsage {
  /** 0 for a further reply within a turn. */
  readonly iterations: 0 | 1
  readonly modelCalls: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly costUsd: number | null
}

export interface ReplyStep {
  readonly kind: 'reply'
  readonly turn: number
  readonly text: string
  readonly calls: number
  readonly usage?: TurnUsage
  readonly startedMs?: number
  readonly checked?: CheckedTurn
}

/** A message to the agent that is not a tool result, from a user or a simulator. */
export interface MessageStep {
  readonly kind: 'message'
  readonly turn: number
  readonly text: string
}

export type Step = ReplyStep | CallStep | MessageStep

export function stepsOf(run: RecordedRun): Step[] {
  const steps: Step[] = []
  const costs = costsOf(run)
  let index = 0
  for (const [turn, recorded] of run.turns.entries()) {
    const { text, toolCalls, reply, startedMs } = recorded
    const checked = checkedOf(run.turns[turn - 1])
    steps.push({
      ...{ kind: 'reply', turn, text: text ?? '', calls: toolCalls.length },
      usage: usageOf(recorded, costs[turn] ?? null),
      ...given({ startedMs, checked }),
    })
    for (const { name, ...call } of toolCalls) {
      steps.push({ kind: 'call', index, turn, tool: name, ...call })
      index += 1
    }
    if (reply != null) steps.push({ kind: 'message', turn, text: reply })
  }
  return steps
}

function usageOf({ modelCalls = 1, isStep, tokens }: RecordedTurn, costUsd: number | null): TurnUsage {
  const known = { inputTokens: tokens?.in ?? null, outputTokens: tokens?.out ?? null, costUsd }
  return { iterations: isStep === true ? 0 : 1, modelCalls, ...known }
}

/** Dollars of each turn; a total cost is split by tokens. Empty if unknown. */
export function costsOf({ turns, costUsd }: RecordedRun): readonly number[] {
  const reported = turns.flatMap((turn) => turn.costUsd ?? [])
  if (reported.length === turns.length) return reported
  const tokens = tokensOf(turns)
  const total = tokens?.reduce((sum, each) => sum + each, 0) ?? 0
  return costUsd == null || tokens === undefined || total === 0
    ? []
    : tokens.map((each) => (costUsd * each) / total)
}

/** Prompt and output of each turn; undefined unless the source reports every turn. */
export function tokensOf(turns: readonly RecordedTurn[]): readonly number[] | undefined {
  const known = turns.flatMap(({ tokens }) =>
    tokens?.in == null || tokens.out == null ? [] : tokens.in + tokens.out,
  )
  return known.length === turns.length ? known : undefined
}

/** Treats a reward as the result of a check. */
function checkedOf(turn: RecordedTurn | undefined): CheckedTurn | undefined {
  if (turn?.checked !== undefined || turn?.reward == null) return turn?.checked
  return { tree: undefined, claimed: false, verdicts: [rewardVerdict(turn.reward)], isReward: true }
}

function rewardVerdict(reward: number): Verdict {
  return {
    ...{ verifier: 'reward', status: reward >= 1 ? 'passed' : 'failed', reason: `a reward of ${reward}` },
    ...{ canRetry: true, score: reward, qualifiers: [], evidence: [], durationMs: 0 },
  }
}

const packed = '.gz'
const ending = /\.jsonl(?:\.gz)?$/

/** Sorted paths of the `.jsonl` and `.jsonl.gz` files; undefined if the folder does not exist. */
export async function filesOf(folder: string): Promise<readonly string[] | undefined> {
  try {
    const names = (await readdir(folder)).filter((name) => ending.test(name)).sort()
    return names.map((name) => join(folder, name))
  } catch {
    return undefined
  }
}

/** `onProblem` receives skipped lines and unreadable files. */
export async function* readRuns(
  files: readonly string[],
  onProblem: (problem: string) => void,
): AsyncGenerator<RecordedRun> {
  for (const file of files) yield* readFile(file, basename(file).replace(ending, ''), onProblem)
}

async function* readFile(
  path: string,
  name: string,
  onProblem: (problem: string) => void,
): AsyncGenerator<RecordedRun> {
  let strangers = 0
  try {
    for await (const line of linesOf(createReadStream(path), path.endsWith(packed))) {
      if (line.trim() === '') continue
      const run = parseRun(line, name)
      if (run === undefined) strangers += 1
      else yield run
    }
  } catch (error) {
    onProblem(`${name}: the rest cannot be read (${messageOf(error)})`)
  }
  if (strangers > 0) onProblem(`${name}: ${strangers} lines are not runs of the known form, left out`)
}

/** Splits at line feeds only: `readline` also splits at U+2028, which JSON texts may contain. */
export async function* linesOf(source: Readable, isPacked: boolean): AsyncGenerator<string> {
  const unpacked = isPacked ? createGunzip() : new PassThrough()
  source.once('error', (error) => unpacked.destroy(error))
  source.pipe(unpacked).setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of unpacked as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    yield rest
  } finally {
    source.destroy()
  }
}
