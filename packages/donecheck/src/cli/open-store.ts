import { resolve } from 'node:path'
import type { Store } from '../ports.ts'
import { defaultStoreFolder, openSqliteStore } from '../store/index.ts'
import type { CliIo } from './io.ts'
import type { StoreFlags } from './options.ts'
import { settingsOf } from './settings.ts'

/** The store that was named, or the one of this project in the user's state folder. */
export function openStore(named: string | undefined, workFolder: string, io: CliIo): Store {
  const folder =
    named === undefined
      ? defaultStoreFolder({ environment: io.environment, homeFolder: io.homeFolder, workFolder })
      : resolve(io.currentFolder, named)
  return openSqliteStore({ folder })
}

/** For commands that only look at the record: the store as flags, environment and file name it, closed afterwards. */
export async function withStore<Value>(
  { store: named, workdir }: StoreFlags,
  io: CliIo,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const flags = {
    ...(named === undefined ? {} : { store: named }),
    ...(workdir === undefined ? {} : { workdir }),
  }
  const { config, workFolder } = await settingsOf(flags, io)
  const store = openStore(config.store, workFolder, io)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
