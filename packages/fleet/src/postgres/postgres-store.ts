import { assertKnownKeys, assertText, UsageError, type OptionKeys } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import { postgresAttachments, postgresGoalRequests, postgresQuestions } from './asked.ts'
import { connectTo, failureAt, usualPatienceMs, type DatabaseAddress } from './connection.ts'
import { postgresEventLog } from './event-log.ts'
import { postgresLeases } from './leases.ts'
import { prepareTables } from './migrate.ts'
import { newsOf } from './news.ts'
import { postgresRunPages, postgresRunRows } from './run-rows.ts'
import { postgresHostSessions } from './sessions.ts'
import { postgresRememberedVerdicts } from './verdicts.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host/database?tenant=NAME`; what it leaves out comes from PGHOST, PGUSER and the like. */
  readonly url: string
  /** Whose runs they are: nothing of another tenant is seen or written. Default: that of the URL, or `default`. */
  readonly tenant?: string
  /**
   * On this machine, for what is too large for the record, such as the baseline trees of the guard. Default: none; then a run that
   * goes on in another process has no such tree, and its checks decide nothing.
   */
  readonly folder?: string
  /** At the same time, for all runs that share the store. Default 10. */
  readonly connections?: number
  /** How long a database is waited for that does not answer, such as one that restarts. Default 60 s. */
  readonly patienceMs?: number
}

const postgresStoreKeys: OptionKeys<PostgresStoreOptions> = {
  url: 'needed',
  tenant: true,
  folder: true,
  connections: true,
  patienceMs: true,
}

/**
 * One database that many machines write to. Its tables are made, or lifted to this version, by whoever may; every append is on the
 * disk of the server before it is acknowledged.
 * @throws {UsageError} for a URL or a tenant that is none
 * @throws {StoreError} when the database refuses, or its tables are of a newer version
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<Store> {
  assertKnownKeys(options, postgresStoreKeys, 'postgresStore')
  const { folder = null, connections = 10, patienceMs = usualPatienceMs } = options
  const address = addressOf(options)
  const database = connectTo(address, patienceMs, connections)
  try {
    await database.patiently(() => prepareTables(address))
  } catch (error) {
    await database.close()
    throw failureAt(address.place, error)
  }
  const news = newsOf(address, database)
  return {
    place: address.place,
    folder,
    onChange: news.listen,
    ...postgresEventLog(database, news.tell),
    ...postgresRunPages(database),
    ...postgresRunRows(database),
    ...postgresLeases(database),
    ...postgresAttachments(database),
    ...postgresGoalRequests(database),
    ...postgresQuestions(database, news.tell),
    ...postgresHostSessions(database),
    ...postgresRememberedVerdicts(database),
    async close() {
      await news.close()
      await database.close()
    },
  }
}

/** So that it stands in a connection's settings as it is. */
const tenantForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$/

function addressOf({ url, tenant: named }: PostgresStoreOptions): DatabaseAddress {
  assertText(url, 'url', `an address: postgresStore({ url: 'postgres://host/database' })`)
  if (!isPostgresUrl(url))
    throw new UsageError('url must be an address such as postgres://user@host/database?tenant=NAME')
  const address = new URL(url)
  const tenant = named ?? address.searchParams.get('tenant') ?? 'default'
  if (!tenantForm.test(tenant))
    throw new UsageError(
      `tenant must be a name of at most 48 letters, digits, dots, hyphens and underscores, not ${JSON.stringify(tenant)}`,
    )
  address.searchParams.delete('tenant')
  const shown = new URL(`${address.protocol}//${address.host}${address.pathname}?tenant=${tenant}`)
  shown.username = address.username
  return { url: address.href, tenant, place: shown.href }
}

/** Whether a store is named that lies in a database. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)
}
