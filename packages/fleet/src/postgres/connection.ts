import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { messageOf, StoreError } from '@donecheck/engine/internal/base'
import { closedProblem } from '@donecheck/engine/internal/system/store/parts'
import { tenantRole, migrations } from './schema.ts'

export interface DatabaseAddress {
  readonly url: string
  readonly tenant: string
  readonly place: string
}

export type Rows = (sql: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>

export interface Database {
  readonly place: string
  /** Runs one statement. It is retried after a lost connection, so it must be safe to repeat. */
  readonly rows: Rows
  /** Runs work atomically under a named lock. Retried likewise, unless `once`. */
  readonly locked: <Value>(name: string, work: (rows: Rows) => Promise<Value>, how?: 'once') => Promise<Value>
  readonly patiently: <Value>(work: (isAgain: boolean) => Promise<Value>) => Promise<Value>
  readonly ask: Rows
  readonly count: (sql: string, values: readonly unknown[]) => Promise<number>
  readonly close: () => Promise<void>
}

/** Long enough for a restart or a failover. */
export const usualPatienceMs = 60_000
const connectWithinMs = 10_000
/** Later responses count as a lost connection. */
const answerWithinMs = 30_000

/**
 * Binds connections to a tenant, also after `RESET`; generic plans, because planning costs more than running.
 */
function connectionSettings({ url, tenant }: DatabaseAddress): pg.ClientConfig {
  return {
    connectionString: url,
    options: `-c role=${tenantRole} -c donecheck.tenant=${tenant} -c plan_cache_mode=force_generic_plan`,
    application_name: 'donecheck',
    keepAlive: true,
    connectionTimeoutMillis: connectWithinMs,
  }
}

export function connectTo(address: DatabaseAddress, patienceMs: number, connections: number): Database {
  const { place } = address
  const pool = new pg.Pool({
    ...connectionSettings(address),
    max: connections,
    query_timeout: answerWithinMs,
  })
  // The next connection replaces a broken one; the pending query reports the error.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  let isClosed = false

  async function patiently<Value>(work: (isAgain: boolean) => Promise<Value>): Promise<Value> {
    const end = performance.now() + patienceMs
    for (let isAgain = false, pauseMs = 20; ; isAgain = true, pauseMs = Math.min(2 * pauseMs, 1000))
      try {
        if (isClosed) throw new StoreError(place, closedProblem)
        return await work(isAgain)
      } catch (error) {
        if (!isLost(error) || isClosed || performance.now() + pauseMs > end) throw failureAt(place, error)
        await pause(pauseMs)
      }
  }

  const ask: Rows = async (sql, values = []) =>
    (await pool.query<Record<string, unknown>>(prepared(sql, values))).rows

  return {
    place,
    ask,
    count: async (sql, values) => (await pool.query(prepared(sql, values))).rowCount ?? 0,
    rows: (sql, values) => patiently(() => ask(sql, values)),
    locked: (name, work, how) =>
      patiently(async (isAgain) => {
        if (how === 'once' && isAgain) throw new StoreError(place, lostOnce)
        return transactionIn(pool, `${address.tenant} ${name}`, work)
      }),
    patiently,
    async close() {
      if (isClosed) return
      isClosed = true
      await pool.end()
    },
  }
}

/** @param lock a name that only one transaction holds at a time */
async function transactionIn<Value>(
  pool: pg.Pool,
  lock: string,
  work: (rows: Rows) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect()
  const rows: Rows = async (sql, values = []) =>
    (await client.query<Record<string, unknown>>(prepared(sql, values))).rows
  let problem: Error | undefined
  try {
    await client.query('BEGIN')
    await rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock])
    const value = await work(rows)
    await client.query('COMMIT')
    return value
  } catch (error) {
    problem = error instanceof Error ? error : new Error(messageOf(error))
    throw error
  } finally {
    // Drops a broken connection; the server rolls back its transaction.
    client.release(problem)
  }
}

const lostOnce = 'the connection was lost in the middle: look whether it was done, and ask again if not'

/** Statements are planned once per connection. */
const names = new Map<string, string>()

function prepared(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = names.get(text) ?? `donecheck${names.size + 1}`
  names.set(text, name)
  return { name, text, values: [...values] }
}

/** SQLSTATE classes of an unavailable server: connections, shutdown, too many clients, deadlocks. */
const passing = /^(?:08|57P|53300|40)/

/** Whether it is unknown if the request was done. */
export function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passing.test(error.code ?? '')
  return error instanceof Error && (errnoOf(error) !== undefined || lostWords.test(error.message))
}

const lostWords = /^(?:Connection terminated|Query read timeout|timeout exceeded|Client has encountered)/

function errnoOf(error: Error): string | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code !== undefined && /^E[A-Z]+$/.test(code) ? code : undefined
}

/** Returns errors unrelated to the database or its connection unchanged. */
export function failureAt(place: string, error: unknown): unknown {
  if (error instanceof pg.DatabaseError)
    return new StoreError(place, `PostgreSQL says "${error.message}" (code ${error.code ?? 'unknown'})`, {
      cause: error,
    })
  if (!isLost(error)) return error
  const wayOut = 'see that it runs and can be reached, then try again; what was recorded before is kept'
  return new StoreError(place, `the database does not answer (${messageOf(error)}): ${wayOut}`, {
    cause: error,
  })
}

/**
 * Migrates the tables to the latest version, atomically and one process at a time.
 * @throws {StoreError} for tables of a newer version, a login of another tenant, or a refusal of the database
 */
export async function prepareTables({ url, tenant, place }: DatabaseAddress): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'donecheck' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    if ((await versionIn(client, place)) < migrations.length) await migrate(client, place)
    const [own] = (
      await client.query<{ tenant: string | null }>(
        "SELECT set_config('donecheck.tenant', $1, false), donecheck.tenant()",
        [tenant],
      )
    ).rows
    if (own?.tenant !== tenant)
      throw new StoreError(place, `this login is one of tenant ${own?.tenant ?? 'unknown'}: name that tenant`)
  } catch (error) {
    throw isLost(error) ? error : failureAt(place, error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function migrate(client: pg.Client, place: string): Promise<void> {
  await client.query('BEGIN')
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('donecheck migrations', 0))")
  await client.query(`
    CREATE SCHEMA IF NOT EXISTS donecheck;
    CREATE TABLE IF NOT EXISTS donecheck.version (version integer NOT NULL);
    ${makeRole}
    SET LOCAL search_path = donecheck;
  `)
  for (const step of migrations.slice(await versionIn(client, place))) await client.query(step)
  await client.query('DELETE FROM donecheck.version')
  await client.query('INSERT INTO donecheck.version VALUES ($1)', [migrations.length])
  await client.query('COMMIT')
}

/** Roles are shared by all databases of a server, so another may have made it. */
const makeRole = `
  DO $$ BEGIN
    CREATE ROLE ${tenantRole} NOLOGIN;
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
      EXECUTE format('GRANT ${tenantRole} TO %I', current_user);
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$;
`

async function versionIn(client: pg.Client, place: string): Promise<number> {
  const known = await client.query<{ known: boolean }>(
    "SELECT to_regclass('donecheck.version') IS NOT NULL AS known",
  )
  if (known.rows[0]?.known !== true) return 0
  const { rows } = await client.query<{ version: number }>('SELECT version FROM donecheck.version')
  const version = rows[0]?.version ?? 0
  if (version > migrations.length)
    throw new StoreError(
      place,
      `its tables have version ${version}; this donecheck reads up to version ${migrations.length}: update donecheck, or choose another database`,
    )
  return version
}

interface News {
  readonly tell: () => void
  readonly listen: (listener: () => void) => () => void
  readonly close: () => Promise<void>
}

/** Each commit with a notification waits for the one before, so they are sent apart, this often. */
const tellEveryMs = 50
const reconnectAfterMs = 1_000

export function newsOf(address: DatabaseAddress, database: Database): News {
  const channel = `donecheck ${address.tenant}`
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined

  async function send(): Promise<void> {
    timer = undefined
    // Listeners without a message poll by themselves.
    await database.ask("SELECT pg_notify($1, '')", [channel]).catch(() => undefined)
  }

  function leave(): void {
    stop?.()
    stop = undefined
  }

  return {
    tell: () => {
      timer ??= setTimeout(() => void send(), tellEveryMs)
    },
    listen(listener) {
      listeners.add(listener)
      stop ??= follow(address, channel, () => listeners.forEach((each) => each()))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) leave()
      }
    },
    async close() {
      listeners.clear()
      leave()
      if (timer === undefined) return
      clearTimeout(timer)
      await send()
    },
  }
}

/** Uses its own connection, replaced if it breaks. @returns a function that ends it */
function follow(address: DatabaseAddress, channel: string, wake: () => void): () => void {
  let client: pg.Client | undefined
  let isOver = false

  function connect(): void {
    if (isOver) return
    const own = new pg.Client(connectionSettings(address))
    client = own
    own.on('notification', wake)
    own.on('error', () => undefined)
    own.once('end', () => void setTimeout(connect, reconnectAfterMs).unref())
    // Missed notifications are not repeated, so poll once.
    own
      .connect()
      .then(() => own.query(`LISTEN ${pg.escapeIdentifier(channel)}`))
      .then(wake)
      .catch(() => own.end().catch(() => undefined))
  }

  connect()
  return () => {
    isOver = true
    void client?.end().catch(() => undefined)
  }
}
