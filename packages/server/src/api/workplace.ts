import { CorruptEventError } from '@donecheck/engine/internal/base'
import { knownRuns, rowFold, type RowFold, type RunRow } from '@donecheck/engine/internal/insight/insights'
import type { RunSummary, Store } from '@donecheck/engine/internal/ports/store'
import { systemClock } from '@donecheck/engine/internal/loop/run'
import { storeChanges } from '../live/index.ts'
import type { RunLauncher, Workplace } from './route.ts'
import type { RunItem } from './shapes.ts'

export function workplaceOf(store: Store, launcher: RunLauncher | null): Workplace {
  const changes = storeChanges(store)
  const itemsOf = itemReader(store)
  const items = changes.shared<RunItem | undefined>()
  const doing = new Map<string, Promise<void>>()
  return {
    store,
    launcher,
    changes,
    nowMs: () => systemClock.nowMs(),
    tails: changes.shared(),
    itemsOf,
    interrupted: new Set(),
    listeners: new Map(),
    itemOf: (runId) =>
      items(runId, async () => {
        const summary = await store.summary(runId)
        return summary === undefined ? undefined : (await itemsOf([summary]))[0]
      }),
    async once(name, work) {
      const already = doing.get(name)
      const begun = already ?? work()
      doing.set(name, begun)
      await begun.finally(() => doing.delete(name))
      return already === undefined
    },
  }
}

/** Open runs whose fold is cached, so that each event is read once. */
const maxFolds = 64
const batchSize = 1000

function itemReader(store: Store): Workplace['itemsOf'] {
  const folds = new Map<string, Followed>()
  return async (summaries) => {
    const stopped = summaries.filter(({ reason }) => reason !== undefined)
    const ids = stopped.map(({ runId }) => runId)
    const known = ids.length === 0 ? [] : (await knownRuns(store, undefined, ids)).rows
    const rows = new Map(known.map((row) => [row.runId, row]))
    const items: RunItem[] = []
    for (const summary of summaries) {
      const row = rows.get(summary.runId) ?? (await followedRow(store, folds, summary.runId))
      items.push(itemOf(summary, row, await findWait(summary, store)))
    }
    return items
  }
}

interface Followed {
  readonly fold: RowFold
  sequence: number
}

async function followedRow(
  store: Store,
  folds: Map<string, Followed>,
  runId: string,
): Promise<RunRow | undefined> {
  const followed = folds.get(runId) ?? { fold: rowFold(), sequence: 0 }
  // One reader per run; others read from scratch.
  folds.delete(runId)
  await readOn(store, runId, followed)
  folds.set(runId, followed)
  const [oldest] = folds.keys()
  if (folds.size > maxFolds && oldest !== undefined) folds.delete(oldest)
  return followed.fold.row()
}

/** Stops at damaged data, which is reported when the run itself is requested. */
async function readOn(store: Store, runId: string, followed: Followed): Promise<void> {
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
export function itemOf(
  summary: RunSummary,
  row: RunRow | undefined,
  waiting: RunItem['waiting'] = null,
): RunItem {
  const { runId, task, startedAtMs, updatedAtMs, events, workFolder, labels } = summary
  return {
    ...{ runId, task, startedAtMs, updatedAtMs, events, workFolder },
    labels: [...labels],
    drive: summary.drive ?? null,
    outcome: summary.outcome ?? null,
    reason: summary.reason ?? null,
    cap: summary.cap ?? null,
    detector: summary.detector ?? null,
    waiting,
    imported: summary.imported ?? false,
    model: row?.model ?? null,
    agent: row?.agent ?? null,
    turns: row?.turns ?? 0,
    tokens: row === undefined ? 0 : row.inputTokens + row.outputTokens,
    costUsd: row === undefined ? null : row.costUsd,
    activeMs: row?.activeMs ?? 0,
    failing: row?.failing ?? [],
  }
}
