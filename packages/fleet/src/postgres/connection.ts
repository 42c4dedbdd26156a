/** The way to the database: connections of one tenant, what is asked again when one is lost, and what went wrong in words. */
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { messageOf, StoreError } from '@donecheck/engine/base'
import { closedProblem } from '@donecheck/engine/store/parts'
import { tenantRole } from './schema.ts'

export interface DatabaseAddress {
  /** With its password. */
  readonly url: string
  readonly tenant: string
  /** For people: without the password. */
  readonly place: string
}

export type Rows = (sql: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>

export interface Database {
  readonly place: string
  /**
   * One statement. Where the connection was lost nobody knows whether it was done, and it is asked again: it must do no harm twice.
   */
  readonly rows: Rows
  /** All of the work or nothing, and nobody beside it under the same name. It is asked again as well, unless `once`. */
  readonly locked: <Value>(name: string, work: (rows: Rows) => Promise<Value>, how?: 'once') => Promise<Value>
  /** As often as the connection is lost, until patience is at its end. */
  readonly patiently: <Value>(work: (isAgain: boolean) => Promise<Value>) => Promise<Value>
  /** One statement, once: rejects with what `patiently` understands. */
  readonly ask: Rows
  /** The same for one that answers no rows: how many it wrote. */
  readonly count: (sql: string, values: readonly unknown[]) => Promise<number>
  readonly close: () => Promise<void>
}

/** A database that restarts, or one that takes over, is back by then. */
export const usualPatienceMs = 60_000
const connectWithinMs = 10_000
/** What has no answer by then has lost its connection: a wire that was cut says nothing. */
const answerWithinMs = 30_000

/**
 * As each connection begins: bound to its tenant and to a role without rights of its own, which `RESET` gives it back. Statements are
 * few and looked up by keys: one plan of each does for all values, and to plan an append costs more than to do it.
 */
export function connectionSettings({ url, tenant }: DatabaseAddress): pg.ClientConfig {
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
  // A connection that breaks is replaced by the next. Whoever uses it just then is told by what was asked.
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
        await setTimeout(pauseMs)
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

/** @param lock what nobody else has at the same time */
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
    // A connection that broke, or stands in the middle of something, is given up: the server takes back what it had begun.
    client.release(problem)
  }
}

const lostOnce = 'the connection was lost in the middle: look whether it was done, and ask again if not'

/** Statements are planned once for each connection. */
const names = new Map<string, string>()

function prepared(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = names.get(text) ?? `donecheck${names.size + 1}`
  names.set(text, name)
  return { name, text, values: [...values] }
}

/** SQLSTATE classes of a server that is not there for us: connections, operators that end it, too many at once, deadlocks. */
const passing = /^(?:08|57P|53300|40)/

/** Nobody knows whether what was asked for was done. */
export function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passing.test(error.code ?? '')
  return error instanceof Error && (errnoOf(error) !== undefined || lostWords.test(error.message))
}

const lostWords = /^(?:Connection terminated|Query read timeout|timeout exceeded|Client has encountered)/

function errnoOf(error: Error): string | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code !== undefined && /^E[A-Z]+$/.test(code) ? code : undefined
}

/** Anything that neither the database nor the way to it said comes back as it is. */
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
