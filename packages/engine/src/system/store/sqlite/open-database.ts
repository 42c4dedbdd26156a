import { chmodSync, closeSync, existsSync, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type * as sqliteModule from 'node:sqlite'
import type { DatabaseSync } from 'node:sqlite'
import { codeOf, StoreError } from '../../../base/index.ts'
import { fileFailure, rowOf, storeFailure, transactions } from './door.ts'

const defaultBusyTimeoutMs = 5_000

/** The name by which SQLite knows a database without a file. */
export const inMemory = ':memory:'

/** For short processes, which are mostly alone with the file and then re-read all loose pages. */
const maxLoosePages = 200

/** `FULL`: acknowledged commits are on disk. `NORMAL`: they survive the process, not a power loss. */
type Synchronous = 'FULL' | 'NORMAL'

interface DatabaseOptions {
  /** Migration steps. Default: those of the store. */
  readonly steps?: readonly string[]
  /** Defaults to `FULL`. */
  readonly synchronous?: Synchronous
  /** Milliseconds to wait for other writers. Default 5,000. */
  readonly busyTimeoutMs?: number
}

/** @throws {StoreError} if the file cannot be opened, is not a store, or is newer */
export function openDatabase(file: string, options: DatabaseOptions = {}): DatabaseSync {
  const { steps = migrations, synchronous = 'FULL', busyTimeoutMs = defaultBusyTimeoutMs } = options
  const sqlite = loadSqlite(file)
  if (file !== inMemory) ensurePrivateFile(file)
  const database = connect(sqlite, file, busyTimeoutMs)
  try {
    assertOurs(database, file, steps.length)
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`)
    if (synchronous === 'NORMAL') database.exec(`PRAGMA wal_autocheckpoint = ${maxLoosePages}`)
    migrate(database, file, steps)
    return database
  } catch (error) {
    database.close()
    throw storeFailure(file, error)
  }
}

function connect(sqlite: ReturnType<typeof loadSqlite>, file: string, busyTimeoutMs: number): DatabaseSync {
  try {
    return new sqlite.DatabaseSync(file, { timeout: busyTimeoutMs })
  } catch (error) {
    throw storeFailure(file, error)
  }
}

type Sqlite = typeof sqliteModule

/** Loads SQLite on first use, hiding Node's warning. @throws {StoreError} if this Node has none */
export function loadSqlite(place: string): Sqlite {
  const emitWarning = process.emitWarning.bind(process)
  const original = Object.getOwnPropertyDescriptor(process, 'emitWarning')
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!isAboutSqlite(warning)) Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return builtinSqlite(place)
  } finally {
    if (original !== undefined) Object.defineProperty(process, 'emitWarning', original)
  }
}

function builtinSqlite(place: string): Sqlite {
  const builtin: { readonly getBuiltinModule: (name: 'node:sqlite') => Sqlite | undefined } = process
  const sqlite = builtin.getBuiltinModule('node:sqlite')
  if (sqlite !== undefined) return sqlite
  throw new StoreError(place, `Node ${process.version} has no SQLite: use Node 22.18 or newer`)
}

function isAboutSqlite(warning: string | Error): boolean {
  return typeof warning === 'string' && warning.startsWith('SQLite is an experimental feature')
}

/** Creates it with mode 0600, which SQLite copies. @throws {StoreError} if the file system refuses */
function ensurePrivateFile(file: string): void {
  try {
    ensureFolder(dirname(file))
    if (!createFile(file)) protectFile(file)
  } catch (error) {
    throw fileFailure(file, error)
  }
}

/** Step by step: Node's recursive way hangs under `/proc`. Existing folders keep their mode. */
function ensureFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) ensureFolder(parent)
  unlessThere(() => {
    mkdirSync(folder, { mode: 0o700 })
    chmodSync(folder, 0o700)
  })
}

function createFile(file: string): boolean {
  return unlessThere(() => {
    const descriptor = openSync(file, 'wx', 0o600)
    fchmodSync(descriptor, 0o600)
    closeSync(descriptor)
  })
}

function unlessThere(create: () => void): boolean {
  try {
    create()
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** By name, because opening and closing the file would drop SQLite's locks in this process. */
function protectFile(file: string): void {
  const status = statSync(file)
  if (!status.isFile()) throw new Error(`${file} is not a file`)
  if ((status.mode & 0o077) !== 0) chmodSync(file, 0o600)
}

const idRow = { application_id: 'number' } as const
const versionRow = { user_version: 'number' } as const
const countRow = { count: 'number' } as const

/** @throws {StoreError} for another program's database or a newer store, which stay untouched */
function assertOurs(database: DatabaseSync, place: string, latestVersion: number): void {
  // One transaction, because another process may be creating tables.
  const { isOurs, version } = transactions(database).read(() => {
    const { application_id: id } = rowOf(idRow, database.prepare('PRAGMA application_id').get())
    return { isOurs: id === applicationId || (id === 0 && isEmpty(database)), version: versionOf(database) }
  })
  if (!isOurs) throw new StoreError(place, 'it is a database of another program: choose another store folder')
  if (version > latestVersion) throw newerVersion(place, version, latestVersion)
}

/** @param steps step n lifts version n - 1 to n; all or none @throws {StoreError} if the store is newer */
function migrate(database: DatabaseSync, place: string, steps: readonly string[]): void {
  if (versionOf(database) === steps.length) return
  transactions(database).write(() => {
    const version = versionOf(database)
    if (version > steps.length) throw newerVersion(place, version, steps.length)
    for (const step of steps.slice(version)) database.exec(step)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${steps.length}`)
  })
}

function versionOf(database: DatabaseSync): number {
  return rowOf(versionRow, database.prepare('PRAGMA user_version').get()).user_version
}

function isEmpty(database: DatabaseSync): boolean {
  return rowOf(countRow, database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()).count === 0
}

function newerVersion(place: string, version: number, latestVersion: number): StoreError {
  const ours = `this donecheck reads up to version ${latestVersion}`
  return new StoreError(
    place,
    `it has version ${version}; ${ours}: update donecheck, or choose another store folder`,
  )
}

/** "done" in ASCII: SQLite's mark for files of one program. */
const applicationId = 0x646f6e65

/** Step n migrates version n - 1 to n: never change a published step, add one. */
export const migrations: readonly string[] = [
  // Events are ordered by run; long texts move to overflow pages. Imports write attachments before events.
  // Released leases stay, for their fence. Run rows and session snapshots are caches. Keys are JSON texts.
  // The digest covers key and verdict. Goal request numbers never repeat. Triggers record which runs changed.
  `
  CREATE TABLE runs (
    run_id TEXT NOT NULL PRIMARY KEY,
    events INTEGER NOT NULL,
    started_at_ms REAL NOT NULL,
    updated_at_ms REAL NOT NULL,
    reason TEXT,
    outcome TEXT,
    work_folder TEXT,
    task TEXT NOT NULL,
    imported INTEGER NOT NULL DEFAULT 0,
    cap TEXT,
    detector TEXT,
    tags TEXT NOT NULL DEFAULT '[]',
    agent TEXT,
    changed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX runs_by_start ON runs (started_at_ms, run_id);
  CREATE INDEX runs_by_change ON runs (changed);
  CREATE TABLE run_rows (run_id TEXT NOT NULL PRIMARY KEY, events INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
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
  CREATE TABLE remembered_verdicts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    json TEXT NOT NULL,
    digest TEXT NOT NULL
  ) STRICT;
  CREATE TABLE host_sessions (
    key TEXT NOT NULL PRIMARY KEY,
    run_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    updated_at_ms REAL NOT NULL,
    snapshot TEXT NOT NULL
  ) STRICT;
  CREATE TABLE goal_requests (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX goal_requests_of_run ON goal_requests (run_id, number);
  CREATE TABLE questions (
    id TEXT NOT NULL PRIMARY KEY,
    run_id TEXT NOT NULL,
    asked_at_ms REAL NOT NULL,
    is_open INTEGER NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX open_questions ON questions (asked_at_ms, id) WHERE is_open = 1;
  ${[
    'run_begun AFTER INSERT ON runs',
    'run_went_on AFTER UPDATE OF events ON runs',
    'question_asked AFTER INSERT ON questions',
    'question_changed AFTER UPDATE ON questions',
  ]
    .map(
      (trigger) => `CREATE TRIGGER ${trigger} BEGIN
        UPDATE runs SET changed = (SELECT max(changed) FROM runs) + 1 WHERE run_id = NEW.run_id;
      END;`,
    )
    .join('\n')}
  `,
]
