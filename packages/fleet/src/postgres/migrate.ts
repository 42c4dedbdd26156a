import pg from 'pg'
import { StoreError } from '@donecheck/engine/base'
import { failureAt, isLost, type DatabaseAddress } from './connection.ts'
import { migrations, tenantRole } from './schema.ts'

/**
 * Lifts the tables to the latest version, all steps or none, one process at a time. Whoever may only use them finds them ready.
 * @throws {StoreError} for tables of a newer version, for a login of another tenant, and where the database refuses
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

/** Roles are common to all databases of a server: another may have made it. Whoever makes it may also act as it. */
const makeRole = `
  DO $$ BEGIN
    CREATE ROLE ${tenantRole} NOLOGIN;
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
      EXECUTE format('GRANT ${tenantRole} TO %I', current_user);
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$;
`

/** 0: there are no tables yet. */
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
