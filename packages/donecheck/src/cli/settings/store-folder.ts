import { resolve } from 'node:path'
import { defaultStoreFolder } from '@donecheck/engine/store'
import type { CliIo } from '../process/io.ts'

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
