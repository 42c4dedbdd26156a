/** Where the memory of runs lies: beside the runs of the project, or one for all projects of the user. */
import { join } from 'node:path'
import { stateHome } from '@donecheck/engine/base'
import type { CliIo } from '../process/io.ts'
import { storeFolderOf } from './store-folder.ts'

export interface MemoryPlace {
  readonly memory: 'project' | 'user'
  /** As it was named; undefined: the one of the project. */
  readonly store: string | undefined
  readonly workFolder: string
}

export function memoryFileOf({ memory, store, workFolder }: MemoryPlace, io: CliIo): string {
  return memory === 'user'
    ? join(stateHome(io), 'donecheck', 'memory.db')
    : join(storeFolderOf(store, workFolder, io), 'memory.db')
}
