import { UsageError } from '@donecheck/engine/base'
import { isInside } from '@donecheck/engine/store'

/** The agent must not edit its own record, and the record must not count as a change of the work folder. */
export function assertStoreOutside(storeFolder: string, workFolder: string): void {
  if (!isInside(storeFolder, workFolder)) return
  throw new UsageError(
    `the store ${storeFolder} is inside the work folder ${workFolder}, where the agent could edit its own record; name a place outside with --store`,
  )
}
