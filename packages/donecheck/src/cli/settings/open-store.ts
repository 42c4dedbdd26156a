import { existsSync } from 'node:fs'
import type { Store } from '@donecheck/engine/ports/store'
import { openSqliteStore } from '@donecheck/engine/store'
import type { CliIo } from '../process/io.ts'
import type { StoreFlags } from '../options/flags.ts'
import { settingsWithoutFile } from './settings.ts'
import { storeFolderOf } from './store-folder.ts'
import { resolveWorkFolder } from './work-folder.ts'

/** Fifty runs that begin at once on two processors wait for each other: whichever gave up sooner would be lost. */
const busyTimeoutMs = 60_000

/** The store that was named, or the one of this project in the user's state folder. */
export function openStore(named: string | undefined, workFolder: string, io: CliIo): Store {
  return openSqliteStore({ folder: storeFolderOf(named, workFolder, io), busyTimeoutMs })
}

/** For commands that only look at the record: the store as flags and environment name it, closed afterwards. */
export async function withStore<Value>(
  { store: named, workdir }: StoreFlags,
  io: CliIo,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const flags = {
    ...(named === undefined ? {} : { store: named }),
    ...(workdir === undefined ? {} : { workdir }),
  }
  const { config, workFolder } = settingsWithoutFile(flags, io)
  // The record of a folder that is gone can still be looked at; of one that never was, none is begun.
  if (workdir !== undefined && !existsSync(storeFolderOf(config.store, workFolder, io)))
    resolveWorkFolder(workdir, io)
  const store = openStore(config.store, workFolder, io)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
