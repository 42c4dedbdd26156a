import { resolve, join } from 'node:path'
import { defaultStoreFolder, isInside, openSqliteStore } from '@donecheck/engine/store'
import { type CliIo, resolveWorkFolder } from '../process/io.ts'
import { UsageError, stateHome } from '@donecheck/engine/base'
import { mkdirSync } from 'node:fs'
import type { Store } from '@donecheck/engine/ports/store'
import type { Config } from '../../config/index.ts'
import { loadFleet } from './load-fleet.ts'

/** The named folder or the default; a database also needs one, for large files. */
export function storeFolderOf(named: string | undefined, workFolder: string, io: CliIo): string {
  if (named !== undefined && !isDatabase(named)) return resolve(io.currentFolder, named)
  return defaultStoreFolder({ environment: io.environment, homeFolder: io.homeFolder, workFolder })
}

export function isDatabase(named: string | undefined): named is string {
  return /^postgres(?:ql)?:/.test(named ?? '')
}

export interface Settings {
  readonly workFolder: string
  readonly config: Config
}

/** @throws {UsageError} if the work folder is missing, or the store is inside it */
export function assertRunnable(settings: Settings, io: CliIo): void {
  resolveWorkFolder(settings.workFolder, io)
  assertStoreOutside(settings, io)
}

/** The agent must not edit its record, and the record must not count as a change. */
export function assertStoreOutside({ config, workFolder }: Settings, io: CliIo): void {
  const storeFolder = storeFolderOf(config.store, workFolder, io)
  if (!isInside(storeFolder, workFolder)) return
  throw new UsageError(
    `the store ${storeFolder} is inside the work folder ${workFolder}, where the agent could edit its own record; name a place outside with --store`,
  )
}

interface MemoryPlace {
  readonly memory: 'project' | 'user'
  readonly store: string | undefined
  readonly workFolder: string
}

export function memoryFileOf({ memory, store, workFolder }: MemoryPlace, io: CliIo): string {
  return memory === 'user'
    ? join(stateHome(io), 'donecheck', 'memory.db')
    : join(storeFolderOf(store, workFolder, io), 'memory.db')
}

/** Fifty runs that start at once on two cores wait for each other. */
const busyTimeoutMs = 60_000

export async function openStore({ config, workFolder }: Settings, io: CliIo): Promise<Store> {
  const { store: named } = config
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

/** Closes the store after the work. */
export async function withOpenStore<Value>(
  settings: Settings,
  io: CliIo,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await openStore(settings, io)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const saidAfterMs = 2_000

async function sayThatItIsAway(io: CliIo): Promise<void> {
  const { writeNotice } = await import('../output/wrap.ts')
  writeNotice('the database of the store does not answer yet; waiting for it, a minute at most', io)
}
