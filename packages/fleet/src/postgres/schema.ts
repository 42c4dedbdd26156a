/** Migrations of the tables. Never change a published step; add one. */

/** The role of all sessions: it owns nothing and is bound by the policies. */
export const tenantRole = 'donecheck_tenant'

/** Texts are JSON, as in SQLite's tables; ids sort by bytes. `changed`: a transaction id. */
const tables = `
  CREATE TABLE runs (
    run_id text COLLATE "C", events integer NOT NULL, started_at_ms float8 NOT NULL, updated_at_ms float8 NOT NULL,
    reason text, outcome text, work_folder text, task text NOT NULL, task_folded text NOT NULL, imported integer NOT NULL,
    cap text, detector text, tags text NOT NULL, agent text,
    changed bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint, PRIMARY KEY (tenant, run_id)
  ) WITH (fillfactor = 50);
  CREATE INDEX runs_by_start ON runs (tenant, started_at_ms, run_id);
  CREATE INDEX runs_by_change ON runs USING brin (changed) WITH (pages_per_range = 4);
  CREATE TABLE events (
    run_id text COLLATE "C", sequence integer, time_ms float8 NOT NULL, type text NOT NULL, json text NOT NULL,
    PRIMARY KEY (tenant, run_id, sequence)
  );
  CREATE TABLE attachments (
    run_id text COLLATE "C", digest text COLLATE "C", json text NOT NULL, PRIMARY KEY (tenant, run_id, digest)
  );
  CREATE TABLE leases (
    key text COLLATE "C", name text NOT NULL, fence integer NOT NULL, expires_at_ms float8 NOT NULL, released integer NOT NULL,
    host text NOT NULL, process_id integer NOT NULL, process_start text, purpose text NOT NULL, request uuid NOT NULL,
    PRIMARY KEY (tenant, key)
  );
  CREATE TABLE remembered_verdicts (
    key text COLLATE "C", id bigint NOT NULL GENERATED ALWAYS AS IDENTITY, json text NOT NULL, digest text NOT NULL,
    PRIMARY KEY (tenant, key)
  );
  CREATE INDEX remembered_verdicts_by_age ON remembered_verdicts (tenant, id);
  CREATE TABLE host_sessions (
    key text COLLATE "C", run_id text COLLATE "C" NOT NULL, sequence integer NOT NULL, updated_at_ms float8 NOT NULL,
    snapshot text NOT NULL, PRIMARY KEY (tenant, key)
  );
  CREATE TABLE goal_requests (
    number integer, run_id text COLLATE "C" NOT NULL, json text NOT NULL, request uuid NOT NULL, PRIMARY KEY (tenant, number)
  );
  CREATE INDEX goal_requests_of_run ON goal_requests (tenant, run_id, number);
  CREATE TABLE run_rows (run_id text COLLATE "C", events integer NOT NULL, text text NOT NULL, PRIMARY KEY (tenant, run_id));
  CREATE TABLE questions (
    id text COLLATE "C", run_id text COLLATE "C" NOT NULL, asked_at_ms float8 NOT NULL, is_open integer NOT NULL,
    json text NOT NULL, PRIMARY KEY (tenant, id)
  );
  CREATE INDEX open_questions ON questions (tenant, asked_at_ms, id) WHERE is_open = 1;
`

/** Logins with this prefix are bound to the tenant after it, whatever the connection requests. */
const tenantLogin = 'donecheck_tenant_'

/** Simple enough to be inlined into every plan. */
const tenants = `
  CREATE FUNCTION tenant() RETURNS text STABLE LANGUAGE sql AS $$
    SELECT CASE WHEN starts_with(session_user::text, '${tenantLogin}') THEN substr(session_user::text, ${tenantLogin.length + 1})
      ELSE current_setting('donecheck.tenant', true) END
  $$;
`

const policies = `
  DO $$
  DECLARE name text;
  BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'donecheck' AND tablename <> 'version' LOOP
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
      EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
      EXECUTE format('CREATE POLICY of_tenant ON %I USING (tenant = donecheck.tenant())', name);
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ${tenantRole}', name);
    END LOOP;
  END $$;
  GRANT USAGE ON SCHEMA donecheck TO ${tenantRole};
  GRANT SELECT ON version TO ${tenantRole};
`

/** A reset setting is empty, so null. A CHECK would be planned again by every write. */
const tenantColumn = `tenant text COLLATE "C" NOT NULL DEFAULT nullif(donecheck.tenant(), ''), `

/** Step n migrates version n - 1 to version n. */
export const migrations: readonly string[] = [
  [tenants, tables.replaceAll(/CREATE TABLE \w+ \(/g, `$&${tenantColumn}`), policies].join('\n'),
]
