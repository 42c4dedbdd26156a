import { resolve, join } from 'node:path'
import { defaultStoreFolder, isInside } from '@donecheck/engine/store'
import type { CliIo } from '../process/io.ts'
import { UsageError, stateHome } from '@donecheck/engine/base'

/**
 * The folder that was named, or the one of this project in the user's state folder. Where the record is in a database, that is
 * where this machine keeps what is too large for it.
 */
export function storeFolderOf(named: string | undefined, workFolder: string, io: CliIo): string {
  if (named !== undefined && !isDatabase(named)) return resolve(io.currentFolder, named)
  return defaultStoreFolder({ environment: io.environment, homeFolder: io.homeFolder, workFolder })
}

/** Whether the store that was named is one of many machines, not a folder of this one. */
export function isDatabase(named: string | undefined): named is string {
  return /^postgres(?:ql)?:/.test(named ?? '')
}

/** The agent must not edit its own record, and the record must not count as a change of the work folder. */
export function assertStoreOutside(storeFolder: string, workFolder: string): void {
  if (!isInside(storeFolder, workFolder)) return
  throw new UsageError(
    `the store ${storeFolder} is inside the work folder ${workFolder}, where the agent could edit its own record; name a place outside with --store`,
  )
}

interface MemoryPlace {
  readonly memory: 'project' | 'user'
  /** As it was named; undefined: the one of the project. */
  readonly store: string | undefined
  readonly workFolder: string
}

/** Beside the runs of the project, or one for all projects of the user. */
export function memoryFileOf({ memory, store, workFolder }: MemoryPlace, io: CliIo): string {
  return memory === 'user'
    ? join(stateHome(io), 'donecheck', 'memory.db')
    : join(storeFolderOf(store, workFolder, io), 'memory.db')
}
