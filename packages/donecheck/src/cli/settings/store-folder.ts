import { resolve, join } from 'node:path'
import { defaultStoreFolder, isInside, openSqliteStore } from '@donecheck/engine/store'
import { type CliIo, resolveWorkFolder } from '../process/io.ts'
import { UsageError, stateHome, messageOf } from '@donecheck/engine/internal/base'
import { mkdirSync } from 'node:fs'
import type { Store } from '@donecheck/engine/internal/ports/store'
import type { Config } from '../../config/index.ts'
import type { Flags } from '../options/flags.ts'

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
  const { postgresStore } = await loadFleet(() => import('@donecheck/fleet/internal/postgres'))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const slow = setTimeout(() => void sayThatItIsAway(io), saidAfterMs)
  try {
    return await postgresStore({ url: named, folder })
  } finally {
    clearTimeout(slow)
  }
}

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

export async function loadFleet<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError(
      `a fleet, and a store on PostgreSQL, need a package of their own: npm install @donecheck/fleet, with --global if donecheck was installed so (${messageOf(error)})`,
      { cause: error },
    )
  }
}

export type FleetFlags = Flags<'fleet'>

export interface FleetAddress {
  readonly ingressUrl: string
  readonly adminUrl: string
}

const adminPort = '9070'

/** @throws {UsageError} if no valid address is given */
export function fleetAddressOf({ fleet }: FleetFlags, io: CliIo): FleetAddress {
  const named = fleet ?? io.environment['DONECHECK_FLEET'] ?? ''
  if (named === '')
    throw new UsageError(
      'which fleet? Name it with --fleet URL, or in DONECHECK_FLEET; "donecheck fleet up" begins one',
    )
  const url = URL.parse(named)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `--fleet takes the address of Restate, such as http://127.0.0.1:8080, not "${named}"`,
    )
  const admin = new URL(url.searchParams.get('admin') ?? url.origin)
  if (!url.searchParams.has('admin')) admin.port = adminPort
  return { ingressUrl: url.origin, adminUrl: admin.origin }
}

/** @throws {UsageError} if the fleet does not answer */
export async function reachFleet<Value>(
  { ingressUrl, adminUrl }: FleetAddress,
  ask: () => Promise<Value>,
): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof TypeError && error.message === 'fetch failed')) throw error
    throw new UsageError(
      `no fleet answers at ${ingressUrl} (admin ${adminUrl}): begin one with "donecheck fleet up", or name another with --fleet`,
      { cause: error },
    )
  }
}

/** One store per tenant, opened on first use. */
export async function storesAt(url: string) {
  const { isPostgresUrl, postgresStore } = await loadFleet(() => import('@donecheck/fleet/internal/postgres'))
  if (!isPostgresUrl(url))
    throw new UsageError(`the store of a fleet is a database, postgres://…, not ${url}`)
  const stores = new Map<string, Promise<Store>>()
  const of = (tenant: string): Promise<Store> => {
    const known = stores.get(tenant) ?? postgresStore({ url, tenant })
    stores.set(tenant, known)
    known.catch(() => stores.delete(tenant))
    return known
  }
  const close = async () => {
    for (const opened of await Promise.allSettled(stores.values()))
      if (opened.status === 'fulfilled') await opened.value.close()
  }
  return { of, close }
}
