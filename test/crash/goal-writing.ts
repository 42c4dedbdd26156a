/**
 * A child process that asks for changes of a goal, as it is told on its standard input: one JSON object a line, each answered by
 * one word.
 */
import { createInterface } from 'node:readline'
import { openSqliteStore, UsageError, type Store } from 'donecheck'
import { goalControl } from '@donecheck/engine/internal/loop/compose'
import type { GoalChange } from '@donecheck/core/internal/goal'

export interface Asked {
  readonly storeFolder: string
  readonly runId: string
  /** `library`: as a person or a program asks. `unseen`: kept whatever it is. `forged`: written into the record itself, too late. */
  readonly how: 'library' | 'unseen' | 'forged'
  /** Which goal is meant. */
  readonly goal: 'whichever' | 'as-shown' | 'first' | 'unknown'
  readonly change: GoalChange
}

const stores = new Map<string, Store>()
for await (const line of createInterface({ input: process.stdin }))
  console.log(await answerTo(JSON.parse(line) as Asked))
for (const store of stores.values()) await store.close()

async function answerTo({ storeFolder, runId, how, goal, change }: Asked): Promise<string> {
  const store = stores.get(storeFolder) ?? openSqliteStore({ folder: storeFolder })
  stores.set(storeFolder, store)
  if (how === 'forged') return forge(store, runId)
  const control = goalControl(store)
  const goalId = {
    whichever: null,
    'as-shown': (await control.show(runId)).goal.id,
    first: runId,
    unknown: 'no-such-goal',
  }[goal]
  const by = `process ${process.pid}`
  if (how === 'unseen') {
    await store.keepGoalRequest(runId, { goalId, by, change })
    return 'kept'
  }
  try {
    await control.change(runId, change, goalId === null ? { by } : { by, goalId })
    return 'kept'
  } catch (error) {
    if (error instanceof UsageError) return 'refused'
    throw error
  }
}

/** Whoever does not know the latest event cannot write. */
async function forge(store: Store, runId: string): Promise<string> {
  const events = await store.read(runId)
  return (await store.append(events.length - 1, events.slice(-1), null)).kind
}
