import { messageOf, UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import type { CliIo } from '../process/io.ts'
import type { Flags } from '../options/flags.ts'

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
  const { isPostgresUrl, postgresStore } = await loadFleet(() => import('@donecheck/fleet/postgres'))
  if (!isPostgresUrl(url))
    throw new UsageError(`the store of a fleet is a database, postgres://…, not ${url}`)
  const stores = new Map<string, Promise<Store>>()
  const of = (tenant: string): Promise<Store> => {
    const known = stores.get(tenant) ?? postgresStore({ url, tenant })
    stores.set(tenant, known)
    // Retries after a failure.
    known.catch(() => stores.delete(tenant))
    return known
  }
  const close = async () => {
    for (const opened of await Promise.allSettled(stores.values()))
      if (opened.status === 'fulfilled') await opened.value.close()
  }
  return { of, close }
}
