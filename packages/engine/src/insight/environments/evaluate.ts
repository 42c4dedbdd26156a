import { rm } from 'node:fs/promises'
import { canonicalJson } from '@donecheck/core/internal/base'
import {
  assertKnownKeys,
  assertText,
  given,
  messageOf,
  optionKeys,
  sha256,
  UsageError,
  wilsonInterval,
} from '../../base/index.ts'
import { type Attempt, type Environment, nothing, type Score, scoreOf, taskOf } from './environment.ts'
import { type ItemKey, type ItemResult, ResultFolder } from './results.ts'
import { type AgentLoopOptions, createAgentLoop, type RunResult } from '../../loop/compose/index.ts'
import type { Store } from '../../ports/store.ts'

export interface EvaluationOptions {
  readonly environments: readonly Environment[]
  /** Creates a new agent for each attempt, by the name used in results. */
  readonly agents: Readonly<
    Record<string, (attempt: Attempt) => AgentLoopOptions['agent'] | Promise<AgentLoopOptions['agent']>>
  >
  /** Integers. Default: `[1]`. */
  readonly seeds?: readonly number[]
  /** Concurrent attempts. Default: 2. */
  readonly parallel?: number
  /** For results and attempts, outside git repositories. Finished attempts are not repeated. */
  readonly folder: string
  /** Stores the runs, such as for `donecheck export`. Default: not stored. */
  readonly store?: Store
  /** Called for every item, including those finished before. */
  readonly onItem?: (result: ItemResult, progress: { readonly done: number; readonly of: number }) => void
  readonly signal?: AbortSignal
}

const keys = optionKeys<EvaluationOptions>()(
  'environments! agents! seeds parallel folder! store onItem signal',
)

interface Item {
  readonly key: ItemKey
  readonly environment: Environment
  readonly makeAgent: EvaluationOptions['agents'][string]
}

/**
 * Continues an earlier evaluation in the folder, and keeps finished items if it throws.
 * @throws {UsageError} for invalid options @throws {RunHeldError} if another process evaluates there
 */
export async function evaluate(options: EvaluationOptions): Promise<EvaluationReport> {
  assertKnownKeys(options, keys, 'evaluate')
  const items = itemsOf(options)
  const { folder, parallel = 2, signal, onItem } = options
  assertText(folder, 'folder', 'a folder for the results')
  if (!Number.isSafeInteger(parallel) || parallel < 1)
    throw new UsageError(`parallel must be a whole number from 1, not ${parallel}`)
  const results = new ResultFolder(folder)
  const done = new Map<Item, ItemResult>()
  const waiting = [...items]
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      if (signal?.aborted === true) return
      const result = results.find(item.key, definitionOf(item)) ?? (await tried(item, results, options))
      if (result === undefined) return
      done.set(item, result)
      onItem?.(result, { done: done.size, of: items.length })
    }
  }
  try {
    await allOrNone(Array.from({ length: parallel }, work), () => waiting.splice(0))
  } finally {
    results.release()
  }
  const found = items.flatMap((item) => done.get(item) ?? [])
  return reportOf(found, items.length - found.length)
}

async function allOrNone(works: readonly Promise<void>[], stop: () => void): Promise<void> {
  const settled = await Promise.allSettled(
    works.map((work) =>
      work.catch((error: unknown) => {
        stop()
        throw error
      }),
    ),
  )
  for (const end of settled) if (end.status === 'rejected') throw end.reason
}

function itemsOf({ environments, agents, seeds = [1] }: EvaluationOptions): readonly Item[] {
  if (environments.length === 0) throw new UsageError('environments is empty: give at least one')
  if (Object.keys(agents).length === 0) throw new UsageError('agents is empty: give at least one')
  const wrong = seeds.find((seed) => !Number.isSafeInteger(seed))
  if (wrong !== undefined) throw new UsageError(`seeds must be whole numbers, not ${wrong}`)
  if (seeds.length === 0) throw new UsageError('seeds is empty: give at least one')
  assertUnique(
    environments.map(({ name }) => name),
    'environments',
  )
  assertUnique(seeds.map(String), 'seeds')
  return environments.flatMap((environment) =>
    Object.entries(agents).flatMap(([agent, makeAgent]) =>
      seeds.map((seed) => ({ key: { environment: environment.name, agent, seed }, environment, makeAgent })),
    ),
  )
}

function assertUnique(names: readonly string[], what: string): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new UsageError(`${what}: "${twice}" stands there twice`)
}

function definitionOf({ environment, key: { seed } }: Item): string {
  return sha256(canonicalJson({ version: environment.version ?? '', task: taskOf(environment, seed) }))
}

/** Undefined if it was aborted; it then counts as not started. */
async function tried(
  item: Item,
  results: ResultFolder,
  options: EvaluationOptions,
): Promise<ItemResult | undefined> {
  const folder = results.newWorkFolder()
  const startedMs = performance.now()
  try {
    const { score, run } = await attempt(item, { folder, seed: item.key.seed }, options)
    if (options.signal?.aborted === true || score.outcome === 'interrupted') return undefined
    const result: ItemResult = {
      ...{ version: 1, ...item.key, definition: definitionOf(item), ...score },
      runId: run?.runId ?? null,
      ...{ turns: run?.usage.iterations ?? 0, tokens: run?.usage.totalTokens ?? 0 },
      costUsd: run?.usage.costUsd ?? null,
      durationMs: Math.round(performance.now() - startedMs),
    }
    results.keep(result)
    return result
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Tried {
  readonly score: Score
  readonly run?: RunResult
}

/** An error in an attempt scores 0 with a reason; a usage error is thrown. */
async function attempt(
  { environment, makeAgent }: Item,
  { folder, seed }: Attempt,
  { store, signal }: EvaluationOptions,
): Promise<Tried> {
  let step = 'setup'
  try {
    await environment.setup(folder, seed)
    step = 'the agent'
    const agent = await makeAgent({ folder, seed })
    step = 'the run'
    const loop = createAgentLoop({
      ...environment.loop?.({ folder, seed }),
      ...{ agent, workFolder: folder, hardVerifiers: environment.checks },
      ...given({ store, signal }),
    })
    const run = await loop.run(taskOf(environment, seed))
    const { transition, verdicts } = run
    const state = { folder, seed, outcome: transition.outcome, verdicts }
    return { score: await scoreOf(environment, state, transition.message), run }
  } catch (error) {
    if (error instanceof UsageError) throw error
    return { score: nothing(`${step} failed: ${messageOf(error)}`) }
  }
}

/** @param left unfinished items after an abort */
function reportOf(items: readonly ItemResult[], left: number) {
  const agentOf = ({ agent }: ItemResult) => agent
  const environmentOf = ({ environment }: ItemResult) => environment
  return {
    items,
    left,
    total: summaryOf(items),
    byAgent: grouped(items, agentOf, summaryOf),
    byEnvironment: grouped(items, environmentOf, summaryOf),
    byBoth: grouped(items, environmentOf, (some) => grouped(some, agentOf, summaryOf)),
  }
}

export type EvaluationReport = ReturnType<typeof reportOf>
export type ScoreSummary = EvaluationReport['total']

function grouped<Value>(
  items: readonly ItemResult[],
  nameOf: (item: ItemResult) => string,
  valueOf: (items: readonly ItemResult[]) => Value,
): Readonly<Record<string, Value>> {
  const groups = Map.groupBy(items, nameOf)
  return Object.fromEntries([...groups].map(([name, some]) => [name, valueOf(some)]))
}

/** Null without items. The interval is a 95% Wilson interval. */
function summaryOf(items: readonly ItemResult[]) {
  const passed = items.filter((item) => item.passed).length
  const sum = items.reduce((total, { score }) => total + score, 0)
  const share = (part: number) => (items.length === 0 ? null : part / items.length)
  return {
    items: items.length,
    passed,
    passRate: share(passed),
    passInterval: wilsonInterval(passed, items.length),
    meanScore: share(sum),
  }
}
