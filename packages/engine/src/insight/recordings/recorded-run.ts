/**
 * The form in which recorded runs are replayed: one run per line of a file, or made of the events of a run of ours. Lines are
 * parsed once, here. What a source leaves out is taken as not known.
 */
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

type CallReading = Pick<CallFact, 'outcome' | 'failure' | 'lines'>

/** What only our own record tells is optional. */
export type RecordedTurn = Omit<z.infer<typeof turnSchema>, 'toolCalls'> & {
  readonly toolCalls: readonly RecordedCall[]
  /** Retries included. Default 1. */
  readonly modelCalls?: number
  /** A further reply within the turn before: an agent with tools of its own. */
  readonly isStep?: true
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
  /** The ground truth, as its source says. It is a label, and no verdict of ours. */
  outcome: groundTruthSchema,
})

export type Origin = Readonly<z.infer<typeof originSchema>>

/** Undefined: the run is no imported trajectory. */
export function originOf(recipe: JsonValue): Origin | undefined {
  const parsed = z.object({ importedTrajectory: originSchema }).safeParse(recipe)
  return parsed.success ? parsed.data.importedTrajectory : undefined
}

export interface CallStep extends Readonly<Omit<RecordedCall, 'name'>> {
  readonly kind: 'call'
  /** Counted from 0 over the whole run. */
  readonly index: number
  /** Turn of the model that asked for it; calls of one turn are a batch. */
  readonly turn: number
  readonly tool: string
}

/** What the calls of the model in one turn used. Null: the source does not say. */
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

/** What was said to the agent that is not a tool's result: its user, a simulator, a complaint about its format. */
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

/**
 * Dollars of each turn. Where only the cost of the whole run is known, it is spread over the turns by their tokens. Empty:
 * nobody knows.
 */
export function costsOf({ turns, costUsd }: RecordedRun): readonly number[] {
  const reported = turns.flatMap((turn) => turn.costUsd ?? [])
  if (reported.length === turns.length) return reported
  const tokens = tokensOf(turns)
  const total = tokens?.reduce((sum, each) => sum + each, 0) ?? 0
  return costUsd == null || tokens === undefined || total === 0
    ? []
    : tokens.map((each) => (costUsd * each) / total)
}

/** Prompt and output of each turn; undefined: the source does not say it for every turn. */
export function tokensOf(turns: readonly RecordedTurn[]): readonly number[] | undefined {
  const known = turns.flatMap(({ tokens }) =>
    tokens?.in == null || tokens.out == null ? [] : tokens.in + tokens.out,
  )
  return known.length === turns.length ? known : undefined
}

/** A reward is what a check would have said, as far as a score can tell. */
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

/** Paths of the `.jsonl` and `.jsonl.gz` files of a folder, sorted; undefined: there is no such folder. */
export async function filesOf(folder: string): Promise<readonly string[] | undefined> {
  try {
    const names = (await readdir(folder)).filter((name) => ending.test(name)).sort()
    return names.map((name) => join(folder, name))
  } catch {
    return undefined
  }
}

/** `onProblem` is told of what was left out: lines that are not runs of this form, a file that cannot be read. */
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

/** Split at line feeds only: `readline` splits at U+2028 as well, which may stand inside a JSON text. */
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
