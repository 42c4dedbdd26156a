import { mkdirSync } from 'node:fs'
import { messageOf, UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import { openSqliteStore } from '@donecheck/engine/store'
import type { CliIo } from '../process/io.ts'
import { isDatabase, storeFolderOf } from './store-folder.ts'

/** Fifty runs that begin at once on two processors wait for each other: whichever gave up sooner would be lost. */
const busyTimeoutMs = 60_000

/** The store that was named, or the one of this project in the user's state folder. */
export async function openStore(named: string | undefined, workFolder: string, io: CliIo): Promise<Store> {
  const folder = storeFolderOf(named, workFolder, io)
  if (!isDatabase(named)) return openSqliteStore({ folder, busyTimeoutMs })
  const { postgresStore } = await loadPostgres()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return postgresStore({ url: named, folder })
}

/** Nobody needs it who has one machine. */
async function loadPostgres() {
  try {
    return await import('@donecheck/fleet/postgres')
  } catch (error) {
    throw new UsageError(
      `a store on PostgreSQL needs @donecheck/fleet beside donecheck: npm install @donecheck/fleet (${messageOf(error)})`,
      { cause: error },
    )
  }
}
