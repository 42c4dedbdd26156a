import { z } from 'zod'
import type { RunEvent } from '@donecheck/core/internal/events'
import { fold, type RunState } from '@donecheck/core/internal/state'
import { CorruptEventError } from '@donecheck/engine/internal/base'
import { knownRuns, rowFold, type RowFold, type RunRow } from '@donecheck/engine/internal/insight/insights'
import type { RunSummary, Store } from '@donecheck/engine/internal/ports/store'
import { systemClock } from '@donecheck/engine/internal/loop/run'
import { storeChanges, type Changes, type SharedReads } from '../live/index.ts'
import type { RunLauncher } from './launcher.ts'
import { count, epochMs, list, Problem, text } from './shapes.ts'

/** The services that all route handlers use. */
export interface Workplace {
  readonly store: Store
  /** Starts runs; null if the service is read-only. */
  readonly launcher: RunLauncher | null
  readonly changes: Changes
  readonly nowMs: () => number
  readonly tails: SharedReads<readonly RunEvent[]>
  readonly readItems: (summaries: readonly RunSummary[]) => Promise<readonly RunItem[]>
  readonly readItem: (runId: string) => Promise<RunItem | undefined>
  readonly interrupted: Set<string>
  /** Concurrent callers with one name share the work. @returns whether this work ran */
  readonly once: (name: string, work: () => Promise<void>) => Promise<boolean>
  readonly listeners: Map<string, number>
}

export type RunItem = z.output<typeof runItem>
export const runItem = z
  .object({
    runId: text,
    task: text,
    startedAtMs: epochMs,
    updatedAtMs: epochMs,
    events: count,
    workFolder: text.nullable(),
    model: text.nullable(),
    agent: text.nullable(),
    outcome: text.nullable().describe('null while the run is active'),
    reason: text.nullable(),
    cap: text.nullable(),
    detector: text.nullable(),
    waiting: z
      .object({ for: z.enum(['provider', 'limit']), untilMs: epochMs })
      .nullable()
      .describe('for the provider, or until a usage limit resets'),
    tags: list(text),
    imported: z.boolean(),
    turns: count,
    tokens: count,
    costUsd: z.number().nullable().describe('null if the price of a call is unknown'),
    activeMs: z.number(),
    failing: list(count).describe(
      'failed tests after each verification, or failed required checks if no tests are counted',
    ),
  })
  .meta({ id: 'RunItem' })

export function createWorkplace(store: Store, launcher: RunLauncher | null): Workplace {
  const changes = storeChanges(store)
  const readItems = createItemReader(store)
  const items = changes.shared<RunItem | undefined>()
  const runningByName = new Map<string, Promise<void>>()
  return {
    store,
    launcher,
    changes,
    nowMs: () => systemClock.nowMs(),
    tails: changes.shared(),
    readItems,
    interrupted: new Set(),
    listeners: new Map(),
    readItem: (runId) =>
      items(runId, async () => {
        const summary = await store.summary(runId)
        return summary === undefined ? undefined : (await readItems([summary]))[0]
      }),
    async once(name, work) {
      const existing = runningByName.get(name)
      const running = existing ?? work()
      runningByName.set(name, running)
      await running.finally(() => runningByName.delete(name))
      return existing === undefined
    },
  }
}

/** Open runs with a cached fold, so that each event is read once. */
const maxFolds = 64
const batchSize = 1000

function createItemReader(store: Store): Workplace['readItems'] {
  const folds = new Map<string, FollowedRun>()
  return async (summaries) => {
    const stopped = summaries.filter(({ reason }) => reason !== undefined)
    const ids = stopped.map(({ runId }) => runId)
    const stored = ids.length === 0 ? [] : (await knownRuns(store, undefined, ids)).rows
    const rows = new Map(stored.map((row) => [row.runId, row]))
    const items: RunItem[] = []
    for (const summary of summaries) {
      const row = rows.get(summary.runId) ?? (await readFollowedRow(store, folds, summary.runId))
      items.push(buildRunItem(summary, row, await findWait(summary, store)))
    }
    return items
  }
}

interface FollowedRun {
  readonly fold: RowFold
  sequence: number
}

async function readFollowedRow(
  store: Store,
  folds: Map<string, FollowedRun>,
  runId: string,
): Promise<RunRow | undefined> {
  const followed = folds.get(runId) ?? { fold: rowFold(), sequence: 0 }
  // Removed while in use: a concurrent reader of the same run starts from scratch.
  folds.delete(runId)
  await readNewEvents(store, runId, followed)
  folds.set(runId, followed)
  const [oldest] = folds.keys()
  if (folds.size > maxFolds && oldest !== undefined) folds.delete(oldest)
  return followed.fold.row()
}

/** Stops at a damaged event; requesting the run itself reports it. */
async function readNewEvents(store: Store, runId: string, followed: FollowedRun): Promise<void> {
  try {
    for (;;) {
      const events = await store.readAfter(runId, followed.sequence, batchSize)
      for (const event of events) followed.fold.add(event)
      followed.sequence = events.at(-1)?.sequence ?? followed.sequence
      if (events.length < batchSize) return
    }
  } catch (error) {
    if (!(error instanceof CorruptEventError)) throw error
  }
}

async function findWait(
  { runId, events, outcome }: RunSummary,
  store: Store,
): Promise<RunItem['waiting'] | undefined> {
  if (outcome !== undefined) return undefined
  const [latest] = await store.readAfter(runId, events - 1, 1).catch(() => [])
  return latest?.type === 'wait-started' ? { for: latest.for, untilMs: latest.untilMs } : undefined
}

/** @param row undefined if the run's figures are unknown */
export function buildRunItem(
  summary: RunSummary,
  row: RunRow | undefined,
  waiting: RunItem['waiting'] = null,
): RunItem {
  const { runId, task, startedAtMs, updatedAtMs, events, workFolder, tags } = summary
  return {
    ...{ runId, task, startedAtMs, updatedAtMs, events, workFolder },
    tags: [...tags],
    outcome: summary.outcome ?? null,
    reason: summary.reason ?? null,
    cap: summary.cap ?? null,
    detector: summary.detector ?? null,
    waiting,
    imported: summary.imported ?? false,
    model: row?.model ?? null,
    agent: row?.agent ?? summary.agent ?? null,
    turns: row?.turns ?? 0,
    tokens: row === undefined ? 0 : row.inputTokens + row.outputTokens,
    costUsd: row === undefined ? null : row.costUsd,
    activeMs: row?.activeMs ?? 0,
    failing: row?.failing ?? [],
  }
}

/** @throws {Problem} if the run does not exist */
export async function requireSummary(store: Store, runId: string): Promise<RunSummary> {
  const summary = await store.summary(runId)
  if (summary === undefined) throw noSuchRun(runId)
  return summary
}

/** @throws {Problem} if the run does not exist or is unreadable */
export async function requireRecord(
  store: Store,
  runId: string,
): Promise<{ readonly events: readonly RunEvent[]; readonly state: RunState }> {
  const events = await store.read(runId)
  const state = fold(events)
  if (state === undefined) throw noSuchRun(runId)
  return { events, state }
}

export function noSuchRun(runId: string): Problem {
  return new Problem('not-found', `No run ${JSON.stringify(runId)}. GET /api/runs lists all runs.`)
}
