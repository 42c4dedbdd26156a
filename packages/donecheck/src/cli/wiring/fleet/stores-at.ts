import { UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import { loadFleet } from '../../settings/load-fleet.ts'

/** A store for each tenant, opened when its first run comes. */
export async function storesAt(url: string) {
  const { isPostgresUrl, postgresStore } = await loadFleet(() => import('@donecheck/fleet/postgres'))
  if (!isPostgresUrl(url))
    throw new UsageError(`the store of a fleet is a database, postgres://…, not ${url}`)
  const stores = new Map<string, Promise<Store>>()
  const of = (tenant: string): Promise<Store> => {
    const known = stores.get(tenant) ?? postgresStore({ url, tenant })
    stores.set(tenant, known)
    // What could not be opened is tried anew by the next run.
    known.catch(() => stores.delete(tenant))
    return known
  }
  const close = async () => {
    for (const opened of await Promise.allSettled(stores.values()))
      if (opened.status === 'fulfilled') await opened.value.close()
  }
  return { of, close }
}
