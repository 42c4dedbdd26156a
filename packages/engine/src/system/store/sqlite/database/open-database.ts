import type { DatabaseSync } from 'node:sqlite'
import { storeFailure, fileFailure } from './failures.ts'
import { assertOurs, migrate } from './migrate.ts'
import { migrations } from './schema.ts'
import type * as sqliteModule from 'node:sqlite'
import { assertKnownKeys, codeOf, StoreError, type OptionKeys } from '../../../../base/index.ts'
import { chmodSync, closeSync, existsSync, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const defaultBusyTimeoutMs = 5_000

/** The name by which SQLite knows a database without a file. */
export const inMemory = ':memory:'

/** Of a process that lives for one event: it is alone with the file most of the time, and then reads all loose pages anew. */
const maxLoosePages = 200

/**
 * `FULL`: a commit reaches the disk before it is acknowledged, so that an event that was told is never lost. `NORMAL`: it outlives
 * every process, and the latest may be lost with the power.
 */
export type Synchronous = 'FULL' | 'NORMAL'

export interface DatabaseOptions {
  /** The steps that made its tables. Default: those of the store. */
  readonly steps?: readonly string[]
  /** Default `FULL`. */
  readonly synchronous?: Synchronous
  /** How long one transaction waits for the writer of another process. Default 5 s. */
  readonly busyTimeoutMs?: number
}

const keys: OptionKeys<DatabaseOptions> = { steps: true, synchronous: true, busyTimeoutMs: true }

/**
 * @throws {StoreError} when the file cannot be opened, is no store, or is a newer one
 */
export function openDatabase(file: string, options: DatabaseOptions = {}): DatabaseSync {
  assertKnownKeys(options, keys, 'openDatabase')
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

/**
 * Loaded when the first store is opened: a program that keeps its runs elsewhere need not have it. Older versions of
 * Node warn once that it is experimental; that one sentence is kept from users, every other warning passes.
 * @throws {StoreError} when this Node has no SQLite
 */
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

/**
 * Makes sure that the file is there and that only its owner may read it, whatever the umask. SQLite gives the mode of
 * this file to the files that it lays beside it.
 * @throws {StoreError} when the file system refuses
 */
function ensurePrivateFile(file: string): void {
  try {
    ensureFolder(dirname(file))
    if (!createFile(file)) protectFile(file)
  } catch (error) {
    throw fileFailure(file, error)
  }
}

/**
 * Makes what is missing, step by step: Node's own recursive way never ends where a folder cannot be made at all, such
 * as under `/proc`. A folder that was there before keeps its mode: it may be the user's.
 */
function ensureFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) ensureFolder(parent)
  unlessThere(() => {
    mkdirSync(folder, { mode: 0o700 })
    chmodSync(folder, 0o700)
  })
}

/** @returns false when it was there before */
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

/** By its name: to open and close the file here would drop the locks that SQLite holds on it in this process. */
function protectFile(file: string): void {
  const status = statSync(file)
  if (!status.isFile()) throw new Error(`${file} is not a file`)
  if ((status.mode & 0o077) !== 0) chmodSync(file, 0o600)
}
