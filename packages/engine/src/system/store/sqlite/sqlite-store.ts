import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { currentSchemaVersion, problemOfFact } from '@donecheck/core/internal/events'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { z } from 'zod'
import { assertKnownKeys, assertText, sha256, type OptionKeys } from '../../../base/index.ts'
import type { RememberedVerdicts, Store } from '../../../ports/store.ts'
import { type Door, doorTo } from './door.ts'
import { inMemory, openDatabase } from './open-database.ts'
import { sessionStore } from './session-store.ts'
import { parseEventText } from '../event-text.ts'

interface SqliteStoreOptions {
  /** Made when it is missing, readable by its owner alone. */
  readonly folder: string
  /** How long a write waits for those of other processes. Default 5 s, for a hook must answer before its agent loses patience. */
  readonly busyTimeoutMs?: number
}

const sqliteStoreKeys: OptionKeys<SqliteStoreOptions> = { folder: 'needed', busyTimeoutMs: true }

/**
 * One file that several processes may use at a time. Every append is on the disk before it is acknowledged.
 * @throws {StoreError} when the folder cannot be used, or what lies in it is no store or a newer one
 */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  assertKnownKeys(options, sqliteStoreKeys, 'openSqliteStore')
  const { folder, ...ofDatabase } = options
  assertText(folder, 'folder', `a path: openSqliteStore({ folder: '.donecheck' })`)
  const file = join(folder, 'store.sqlite')
  return sqliteStore(openDatabase(file, ofDatabase), file)
}

/** For tests, and for runs that nobody will want to resume: it is gone with the process. */
export function memoryStore(): Store {
  return { ...sqliteStore(openDatabase(inMemory), 'in memory'), folder: null }
}

/** @param place path of the database file, for messages and for `folder` */
export function sqliteStore(database: DatabaseSync, place: string): Store {
  const door = doorTo(database, place)
  return { ...sessionStore(door), ...rememberedVerdicts(door) }
}

const entryRow = z.object({ json: z.string(), digest: z.string() })

function rememberedVerdicts({ database, transactions, attempt }: Door): RememberedVerdicts {
  const upsertEntry = database.prepare(
    'INSERT OR REPLACE INTO remembered_verdicts (key, json, digest) VALUES (?, ?, ?)',
  )
  const forgetOldest = database.prepare(
    'DELETE FROM remembered_verdicts WHERE id <= (SELECT max(id) FROM remembered_verdicts) - ?',
  )
  const selectEntry = database.prepare('SELECT json, digest FROM remembered_verdicts WHERE key = ?')
  function remember(key: string, verdict: Verdict): void {
    assertVerdict(verdict)
    const [keyText, json] = [JSON.stringify(key), verdictText(verdict)]
    transactions.write(() => {
      upsertEntry.run(keyText, json, digestOfEntry(keyText, json))
      forgetOldest.run(maxRemembered)
    })
  }

  function recall(key: string): Verdict | undefined {
    const keyText = JSON.stringify(key)
    return verdictOfRow(keyText, selectEntry.get(keyText))
  }

  return {
    remember: (key, verdict) => attempt(() => remember(key, verdict)),
    recall: (key) => attempt(() => recall(key)),
  }
}

/** Undefined where there is none, or another than was remembered. */
export function verdictOfRow(keyText: string, row: unknown): Verdict | undefined {
  const { data: entry } = entryRow.safeParse(row)
  if (entry === undefined) return undefined
  return entry.digest === digestOfEntry(keyText, entry.json) ? verdictOfText(entry.json) : undefined
}

/** So many verdicts are remembered; then the oldest are forgotten. */
export const maxRemembered = 10_000

/** Wrapped as the fact it was, so that the door for stored facts checks it, and lifts it when it is old. */
export function verdictText(verdict: Verdict): string {
  const header = { schemaVersion: currentSchemaVersion, id: '', runId: '', sequence: 1, timeMs: 0 }
  return JSON.stringify({ ...header, type: 'verdict-given', verdict })
}

/** Undefined for whatever is not exactly a verdict: to ask again is always right. */
function verdictOfText(text: string): Verdict | undefined {
  const parsed = parseEventText(text)
  if (parsed.kind === 'invalid' || parsed.event.type !== 'verdict-given') return undefined
  return parsed.event.verdict
}

/** SHA-256, hex: against accidental damage, not against whoever can write the store. */
export function digestOfEntry(keyText: string, verdictJson: string): string {
  return sha256(`${keyText}\n${verdictJson}`)
}

/** @throws {TypeError} for a verdict that could not be read again: a program that remembers it is wrong */
export function assertVerdict(verdict: Verdict): void {
  const problem = problemOfFact({ type: 'verdict-given', verdict })
  if (problem !== undefined)
    throw new TypeError(`the verdict of ${verdict.verifier} cannot be kept: ${problem}; give a whole verdict`)
}
