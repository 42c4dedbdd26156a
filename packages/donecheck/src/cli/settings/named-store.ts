import { mkdirSync } from 'node:fs'
import type { Store } from '@donecheck/engine/ports/store'
import { openSqliteStore } from '@donecheck/engine/store'
import type { CliIo } from '../process/io.ts'
import { loadFleet } from './load-fleet.ts'
import { isDatabase, storeFolderOf } from './store-folder.ts'

/** Fifty runs that begin at once on two processors wait for each other: whichever gave up sooner would be lost. */
const busyTimeoutMs = 60_000

/** The store that was named, or the one of this project in the user's state folder. */
export async function openStore(named: string | undefined, workFolder: string, io: CliIo): Promise<Store> {
  const folder = storeFolderOf(named, workFolder, io)
  if (!isDatabase(named)) return openSqliteStore({ folder, busyTimeoutMs })
  const { postgresStore } = await loadFleet(() => import('@donecheck/fleet/postgres'))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const slow = setTimeout(() => void sayThatItIsAway(io), saidAfterMs)
  try {
    return await postgresStore({ url: named, folder })
  } finally {
    clearTimeout(slow)
  }
}

/** The same, closed once the work is done. */
export async function withNamedStore<Value>(
  named: string | undefined,
  workFolder: string,
  io: CliIo,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await openStore(named, workFolder, io)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const saidAfterMs = 2_000

async function sayThatItIsAway(io: CliIo): Promise<void> {
  const { writeNotice } = await import('../output/painter.ts')
  writeNotice('the database of the store does not answer yet; waiting for it, a minute at most', io)
}
