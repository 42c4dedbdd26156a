import { resolve } from 'node:path'
import { defaultStoreFolder } from '@donecheck/engine/store'
import type { CliIo } from '../process/io.ts'

/** The folder that was named, or the one of this project in the user's state folder. */
export function storeFolderOf(named: string | undefined, workFolder: string, io: CliIo): string {
  if (named !== undefined) return resolve(io.currentFolder, named)
  return defaultStoreFolder({ environment: io.environment, homeFolder: io.homeFolder, workFolder })
}
