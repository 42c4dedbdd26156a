import { existsSync } from 'node:fs'
import type { Store } from '@donecheck/engine/ports/store'
import type { CliIo } from '../process/io.ts'
import type { StoreFlags } from '../options/flags.ts'
import { settingsWithoutFile } from './settings.ts'
import { openStore } from './named-store.ts'
import { isDatabase, storeFolderOf } from './store-folder.ts'
import { resolveWorkFolder } from './work-folder.ts'

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
  const isThere = isDatabase(config.store) || existsSync(storeFolderOf(config.store, workFolder, io))
  if (workdir !== undefined && !isThere) resolveWorkFolder(workdir, io)
  const store = await openStore(config.store, workFolder, io)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
