/** What routes share while the service runs. */
import type { Store } from '@donecheck/engine/ports/store'
import { systemClock } from '@donecheck/engine/run'
import { storeChanges } from '../live/index.ts'
import type { RunLauncher } from './launcher.ts'
import type { Workplace } from './route.ts'
import { itemReader } from './run-items.ts'
import type { RunItem } from './shapes/runs.ts'

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
