/** The tables, as the list of steps that made them. A step that was published is never changed: add one. */

/** Who works with the tables: owner of nothing, and held by their policies. */
export const tenantRole = 'donecheck_tenant'

/**
 * Texts that may hold anything lie as JSON, see SQLite's tables; ids sort by their bytes. `changed`: of the transaction that did it, in an
 * index of ranges, so that no append has to write to another.
 */
const tables = `
  CREATE TABLE runs (
    run_id text COLLATE "C", events integer NOT NULL, started_at_ms float8 NOT NULL, updated_at_ms float8 NOT NULL,
    reason text, outcome text, work_folder text, task text NOT NULL, task_folded text NOT NULL, imported integer NOT NULL,
    cap text, detector text, labels text NOT NULL, drive text,
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
  CREATE TABLE verifier_yields (
    verifier text COLLATE "C", runs integer NOT NULL, failures integer NOT NULL, total_ms float8 NOT NULL,
    PRIMARY KEY (tenant, verifier)
  );
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

/** Logins of this name are held to the tenant that follows, whatever their connection says of itself. */
export const tenantLogin = 'donecheck_tenant_'

/** Plain enough to be a part of every statement's plan. */
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

/**
 * One append, all of it or nothing. Null: it is done. -1: the lease is no longer its writer's. Otherwise where the run
 * stands. The lease's row is locked until the end: nobody takes it over between the look and the write. With a `summary` the
 * row of the run is written whole, without one its events are counted. Names are written out: a search path of its own would cost
 * each call more than its statements.
 */
const append = `
  CREATE FUNCTION append(
    the_run text, expected integer, lease_key text, lease_fence integer,
    sequences integer[], times float8[], types text[], texts text[], summary json, host_session json
  ) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    latest integer := expected + cardinality(sequences);
    one donecheck.runs;
    kept donecheck.host_sessions;
  BEGIN
    IF lease_key IS NOT NULL THEN
      PERFORM FROM donecheck.leases WHERE key = lease_key AND fence = lease_fence AND released = 0 FOR SHARE;
      IF NOT FOUND THEN RETURN -1; END IF;
    END IF;
    IF summary IS NULL THEN
      UPDATE donecheck.runs SET events = latest, updated_at_ms = times[cardinality(times)], changed = DEFAULT
        WHERE run_id = the_run AND events = expected;
    ELSIF expected = 0 THEN
      one := json_populate_record(NULL::donecheck.runs, summary);
      INSERT INTO donecheck.runs (run_id, events, started_at_ms, updated_at_ms, reason, outcome, work_folder, task, task_folded,
          imported, cap, detector, labels, drive)
        VALUES (the_run, latest, one.started_at_ms, one.updated_at_ms, one.reason, one.outcome, one.work_folder, one.task,
          one.task_folded, one.imported, one.cap, one.detector, one.labels, one.drive)
        ON CONFLICT DO NOTHING;
    ELSE
      one := json_populate_record(NULL::donecheck.runs, summary);
      UPDATE donecheck.runs SET events = latest, updated_at_ms = one.updated_at_ms, reason = one.reason, outcome = one.outcome,
          work_folder = one.work_folder, task = one.task, task_folded = one.task_folded, cap = one.cap,
          detector = one.detector, labels = one.labels, drive = one.drive, changed = DEFAULT
        WHERE run_id = the_run AND events = expected;
    END IF;
    IF NOT FOUND THEN
      RETURN coalesce((SELECT events FROM donecheck.runs WHERE run_id = the_run), 0);
    END IF;
    INSERT INTO donecheck.events (run_id, sequence, time_ms, type, json)
      SELECT the_run, * FROM unnest(sequences, times, types, texts);
    IF host_session IS NOT NULL THEN
      kept := json_populate_record(NULL::donecheck.host_sessions, host_session);
      INSERT INTO donecheck.host_sessions (key, run_id, sequence, updated_at_ms, snapshot)
        VALUES (kept.key, kept.run_id, kept.sequence, kept.updated_at_ms, kept.snapshot)
        ON CONFLICT (tenant, key) DO UPDATE SET run_id = excluded.run_id, sequence = excluded.sequence,
          updated_at_ms = excluded.updated_at_ms, snapshot = excluded.snapshot;
    END IF;
    RETURN NULL;
  END $$;
`

const tenantColumn = `tenant text COLLATE "C" NOT NULL DEFAULT donecheck.tenant() CHECK (tenant <> ''), `

/** Step n lifts a store of version n - 1 to version n. */
export const migrations: readonly string[] = [
  [tenants, tables.replaceAll(/CREATE TABLE \w+ \(/g, `$&${tenantColumn}`), policies, append].join('\n'),
]
