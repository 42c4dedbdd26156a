/** The tables, as the list of steps that made them. A step that was published is never changed: add one. */

/** "done" in ASCII: SQLite's mark for files of one program. */
export const applicationId = 0x646f6e65

/** Step n lifts a store of version n - 1 to version n. */
export const migrations: readonly string[] = [
  // Events lie in the order of their run. A text longer than a page moves out of the way by itself.
  // Attachments need no run: an import lays them down before the events that make the run visible.
  // A lease that was released stays, for its fence.
  `
  CREATE TABLE runs (
    run_id TEXT NOT NULL PRIMARY KEY,
    events INTEGER NOT NULL,
    started_at_ms REAL NOT NULL,
    updated_at_ms REAL NOT NULL,
    reason TEXT,
    outcome TEXT,
    work_folder TEXT,
    task TEXT NOT NULL
  ) STRICT;
  CREATE TABLE events (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    sequence INTEGER NOT NULL,
    time_ms REAL NOT NULL,
    type TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (run_id, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE attachments (
    run_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (run_id, digest)
  ) STRICT;
  CREATE TABLE leases (
    name TEXT NOT NULL PRIMARY KEY,
    fence INTEGER NOT NULL,
    expires_at_ms REAL NOT NULL,
    released INTEGER NOT NULL,
    host TEXT NOT NULL,
    process_id INTEGER NOT NULL,
    process_start TEXT,
    purpose TEXT NOT NULL
  ) STRICT;
  `,
  // Verdicts that hold for equal inputs, oldest first, and what is known of each verifier. Keys and names are JSON texts, for
  // the same reason as attachments. The digest is over key and verdict: what was damaged is not believed.
  `
  CREATE TABLE remembered_verdicts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    json TEXT NOT NULL,
    digest TEXT NOT NULL
  ) STRICT;

  CREATE TABLE verifier_yields (
    verifier TEXT NOT NULL PRIMARY KEY,
    runs INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    total_ms REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  // Which run a session of a host is in. Keys are JSON texts, as above. The snapshot is a cache: nothing refers to the row.
  `
  CREATE TABLE host_sessions (
    key TEXT NOT NULL PRIMARY KEY,
    run_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    updated_at_ms REAL NOT NULL,
    snapshot TEXT NOT NULL
  ) STRICT;
  `,
  // Whether a run was recorded elsewhere.
  'ALTER TABLE runs ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;',
  // What is asked of the goals of runs, as JSON. A number is never given out again.
  `
  CREATE TABLE goal_requests (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX goal_requests_of_run ON goal_requests (run_id, number);
  `,
  // By what a run was ended and what it is told apart by, also of runs from before; what was distilled of it, as JSON: a cache.
  `
  ALTER TABLE runs ADD COLUMN cap TEXT;
  ALTER TABLE runs ADD COLUMN detector TEXT;
  ALTER TABLE runs ADD COLUMN labels TEXT NOT NULL DEFAULT '[]';
  UPDATE runs SET (cap, detector) = (
    SELECT json_extract(json, '$.transition.cap'), json_extract(json, '$.transition.detector') FROM events
    WHERE events.run_id = runs.run_id AND type = 'run-stopped' AND json_valid(json) ORDER BY sequence DESC LIMIT 1
  ) WHERE reason IS NOT NULL;
  CREATE TABLE run_rows (run_id TEXT NOT NULL PRIMARY KEY, events INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
  `,
  // Who drives a run, also of runs from before.
  `
  ALTER TABLE runs ADD COLUMN drive TEXT;
  UPDATE runs SET drive = (
    SELECT json_extract(json, '$.drive.name') FROM events
    WHERE events.run_id = runs.run_id AND type = 'run-started' AND json_valid(json) ORDER BY sequence LIMIT 1
  );
  `,
  // What people are asked, as JSON. Runs in the order in which they began, and in which they last changed, by whatever the store is
  // written with: processes that opened it before go on beside newer ones.
  `
  CREATE TABLE questions (
    id TEXT NOT NULL PRIMARY KEY,
    run_id TEXT NOT NULL,
    asked_at_ms REAL NOT NULL,
    is_open INTEGER NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX open_questions ON questions (asked_at_ms, id) WHERE is_open = 1;
  ALTER TABLE runs ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
  UPDATE runs SET changed = rowid;
  CREATE INDEX runs_by_start ON runs (started_at_ms, run_id);
  CREATE INDEX runs_by_change ON runs (changed);
  CREATE TRIGGER run_begun AFTER INSERT ON runs BEGIN
    UPDATE runs SET changed = (SELECT max(changed) FROM runs) + 1 WHERE run_id = NEW.run_id;
  END;
  CREATE TRIGGER run_went_on AFTER UPDATE OF events ON runs BEGIN
    UPDATE runs SET changed = (SELECT max(changed) FROM runs) + 1 WHERE run_id = NEW.run_id;
  END;
  CREATE TRIGGER question_asked AFTER INSERT ON questions BEGIN
    UPDATE runs SET changed = (SELECT max(changed) FROM runs) + 1 WHERE run_id = NEW.run_id;
  END;
  CREATE TRIGGER question_changed AFTER UPDATE ON questions BEGIN
    UPDATE runs SET changed = (SELECT max(changed) FROM runs) + 1 WHERE run_id = NEW.run_id;
  END;
  `,
]
