import { resolve } from 'node:path'
import type { Store } from '../ports.ts'
import { defaultStoreFolder, openSqliteStore } from '../store/index.ts'
import type { CliIo } from './io.ts'

/** The store that was named, or the one of this project in the user's state folder. */
export async function openStore(named: string | undefined, workFolder: string, io: CliIo): Promise<Store> {
  return openSqliteStore({ folder: storeFolderOf(named, workFolder, io) })
}

export function storeFolderOf(named: string | undefined, workFolder: string, io: CliIo): string {
  if (named !== undefined) return resolve(io.currentFolder, named)
  return defaultStoreFolder({ environment: io.environment, homeFolder: io.homeFolder, workFolder })
}
