/** Stores the memory in one SQLite file. Forgotten facts are overwritten there and in the log. */
import type { DatabaseSync } from 'node:sqlite'
import { assertKnownKeys, messageOf, type OptionKeys } from '../../base/index.ts'
import { kindOf, type MemoryFact, memoryKinds, type RunLessons } from './distil.ts'
import type { Memory } from '../../ports/memory.ts'
import { openDatabase, readRow, rowOf } from '../../system/store/index.ts'

/** An active run does not wait longer for another process. */
const busyTimeoutMs = 250
/** For writes after the run. */
const patientTimeoutMs = 5_000
/** Facts that are neither pinned nor confirmed expire then. */
const timeToLiveMs = 180 * 24 * 3600 * 1000
const maxCandidates = 200

const tables = [
  `
  CREATE TABLE facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    words TEXT NOT NULL,
    shape TEXT,
    is_verified INTEGER NOT NULL,
    run_id TEXT NOT NULL,
    learnt_at_ms REAL NOT NULL,
    is_pinned INTEGER NOT NULL DEFAULT 0,
    recalled INTEGER NOT NULL DEFAULT 0,
    helped INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX facts_of_shape ON facts (shape);
  CREATE VIRTUAL TABLE fact_words USING fts5(text, words);
  INSERT INTO fact_words (fact_words, rank) VALUES ('secure-delete', 1);
  CREATE TABLE runs (run_id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, turns INTEGER NOT NULL) STRICT;
  CREATE TABLE recalls (run_id TEXT NOT NULL, fact_id INTEGER NOT NULL, PRIMARY KEY (run_id, fact_id)) STRICT;
  `,
]

const factRow = {
  id: 'number',
  key: 'text',
  kind: 'text',
  text: 'text',
  words: 'text',
  shape: 'text or null',
  is_verified: 'number',
  run_id: 'text',
  learnt_at_ms: 'number',
  is_pinned: 'number',
  recalled: 'number',
  helped: 'number',
} as const

export interface OpenMemory extends Memory {
  readonly place: string
  /** Stores the lessons of a run, and whether its facts helped. The same run counts once. */
  learn(lessons: RunLessons): void
  list(): readonly MemoryFact[]
  forget(id: string): boolean
  pin(id: string, isPinned: boolean): boolean
  /** Turns within which nine of ten such runs ended; undefined if there are too few. */
  usualTurns(workFolder: string | null, checks: readonly string[]): number | undefined
  close(): void
}

export interface MemoryOptions {
  readonly file: string
  readonly nowMs: () => number
  /** Called once if the memory cannot be read; the run continues without it. */
  readonly onProblem: (message: string) => void
}

const keys: OptionKeys<MemoryOptions> = { file: 'needed', nowMs: 'needed', onProblem: 'needed' }

/** @throws {StoreError} if the file cannot be opened, or is not a memory */
export function openMemory(options: MemoryOptions): OpenMemory {
  assertKnownKeys(options, keys, 'openMemory')
  const { file, nowMs, onProblem } = options
  const database = openDatabase(file, { steps: tables, synchronous: 'NORMAL', busyTimeoutMs })
  database.exec('PRAGMA secure_delete = ON')
  return {
    place: file,
    recall: async (request) => {
      try {
        const { task, failure, runId } = request
        const question = { words: failure?.words ?? task, shape: failure?.shape }
        // A resumed run knows its own facts.
        const others = candidates(database, question).filter((fact) => fact.runId !== runId)
        const found = bestFacts(others, question, nowMs())
        const noteRecall = database.prepare('INSERT OR IGNORE INTO recalls (run_id, fact_id) VALUES (?, ?)')
        for (const { id } of found) noteRecall.run(runId, numberOf(id))
        return found.map(({ id, text }) => ({ id, text }))
      } catch (error) {
        onProblem(messageOf(error))
        return []
      }
    },
    learn: (lessons) => inOne(database, () => learn(database, lessons, nowMs())),
    list: () => factsOf(database.prepare('SELECT * FROM facts ORDER BY learnt_at_ms DESC, id DESC').all()),
    forget: (id) => inOne(database, () => forgetWhere(database, 'id = ?', numberOf(id)) > 0),
    pin: (id, isPinned) =>
      database.prepare('UPDATE facts SET is_pinned = ? WHERE id = ?').run(isPinned ? 1 : 0, numberOf(id))
        .changes > 0,
    usualTurns: (workFolder, checks) =>
      usualTurns(
        database
          .prepare('SELECT turns FROM runs WHERE kind = ?')
          .all(kindOf(workFolder, checks))
          .map((row) => rowOf({ turns: 'number' }, row).turns),
      ),
    close: () => database.close(),
  }
}

function candidates(
  database: DatabaseSync,
  { words, shape }: { readonly words: string; readonly shape: string | undefined },
): readonly MemoryFact[] {
  const query = tellingWords(words)
    .map((word) => `"${word}"`)
    .join(' OR ')
  const byWords =
    query === ''
      ? []
      : database
          .prepare(
            'SELECT facts.* FROM fact_words JOIN facts ON facts.id = fact_words.rowid WHERE fact_words MATCH ? ORDER BY rank LIMIT ?',
          )
          .all(query, maxCandidates)
  const byShape =
    shape === undefined
      ? []
      : database.prepare('SELECT * FROM facts WHERE shape = ? LIMIT ?').all(shape, maxCandidates)
  return [...new Map(factsOf([...byShape, ...byWords]).map((fact) => [fact.id, fact])).values()]
}

function learn(
  database: DatabaseSync,
  { runId, kind, turns, outcome, lessons, refuted, endedAtMs }: RunLessons,
  nowMs: number,
): void {
  database
    .prepare(
      'INSERT INTO runs (run_id, kind, turns) VALUES (?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET turns = excluded.turns',
    )
    .run(runId, kind, turns)
  database
    .prepare(
      'UPDATE facts SET recalled = recalled + 1, helped = helped + ? WHERE id IN (SELECT fact_id FROM recalls WHERE run_id = ?)',
    )
    .run(outcome === 'verified' ? 1 : 0, runId)
  database.prepare('DELETE FROM recalls WHERE run_id = ?').run(runId)
  for (const key of refuted) forgetWhere(database, 'key = ? AND is_pinned = 0', key)
  forgetWhere(database, 'is_pinned = 0 AND learnt_at_ms < ?', nowMs - timeToLiveMs)
  for (const lesson of lessons) remember(database, lesson, { runId, endedAtMs })
}

/** A newer fact replaces an older one, unless only the older one was verified. */
function remember(
  database: DatabaseSync,
  { key, kind, text, words, shape, isVerified }: RunLessons['lessons'][number],
  { runId, endedAtMs }: { readonly runId: string; readonly endedAtMs: number },
): void {
  const before = readRow(
    { id: 'number', is_verified: 'number' },
    database.prepare('SELECT id, is_verified FROM facts WHERE key = ?').get(key),
  )
  if (before?.is_verified === 1 && !isVerified) return
  const values = [kind, text, words, shape, isVerified ? 1 : 0, runId, endedAtMs, key]
  const id =
    before?.id ??
    Number(
      database
        .prepare(
          'INSERT INTO facts (kind, text, words, shape, is_verified, run_id, learnt_at_ms, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        )
        .run(...values).lastInsertRowid,
    )
  if (before !== undefined) {
    database
      .prepare(
        'UPDATE facts SET kind = ?, text = ?, words = ?, shape = ?, is_verified = ?, run_id = ?, learnt_at_ms = ? WHERE key = ?',
      )
      .run(...values)
    database.prepare('DELETE FROM fact_words WHERE rowid = ?').run(id)
  }
  database.prepare('INSERT INTO fact_words (rowid, text, words) VALUES (?, ?, ?)').run(id, text, words)
}

function forgetWhere(database: DatabaseSync, condition: string, value: string | number): number {
  database
    .prepare(`DELETE FROM fact_words WHERE rowid IN (SELECT id FROM facts WHERE ${condition})`)
    .run(value)
  database
    .prepare(`DELETE FROM recalls WHERE fact_id IN (SELECT id FROM facts WHERE ${condition})`)
    .run(value)
  return Number(database.prepare(`DELETE FROM facts WHERE ${condition}`).run(value).changes)
}

/** Commits all or nothing, and leaves no old content in the log file. */
function inOne<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec(`PRAGMA busy_timeout = ${patientTimeoutMs}; BEGIN IMMEDIATE`)
  try {
    const result = work()
    database.exec("INSERT INTO fact_words (fact_words) VALUES ('optimize'); COMMIT")
    emptyLog(database)
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  } finally {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  }
}

/** Waits for readers; if they hold the log, the next writer empties it. */
function emptyLog(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    return
  }
}

function factsOf(rows: readonly unknown[]): readonly MemoryFact[] {
  return rows.flatMap((row) => {
    const {
      kind: named,
      id,
      is_verified: isVerified,
      run_id: runId,
      learnt_at_ms: learntAtMs,
      is_pinned: isPinned,
      ...rest
    } = rowOf(factRow, row)
    const kind = memoryKinds.find((one) => one === named)
    if (kind === undefined) return []
    return [
      {
        ...rest,
        kind,
        id: `m${id}`,
        isVerified: isVerified === 1,
        runId,
        learntAtMs,
        isPinned: isPinned === 1,
      },
    ]
  })
}

/** NaN for an invalid id, which matches no row. */
function numberOf(id: string): number {
  return Number(/^m(\d{1,15})$/.exec(id)?.[1] ?? Number.NaN)
}

const halfLifeMs = 30 * 24 * 3600 * 1000
const maxFacts = 5
/** Facts below it cost tokens without helping. */
const leastScore = 0.1

const commonWords = new Set(
  'the and for that this with from into make made have has was were are not but all any its our your you can should must will then than when where which who what how use using add fix test tests check checks file files failed fails'.split(
    ' ',
  ),
)

/** At most 40 distinct words, without stop words. */
function tellingWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,40}/gu) ?? []
  return [...new Set(words.filter((word) => !commonWords.has(word)))].slice(0, 40)
}

interface Question {
  readonly words: string
  /** Undefined if nothing has failed. */
  readonly shape: string | undefined
}

/** Relevance × decay × trust, 0 to 1. */
function scoreOf(fact: MemoryFact, { words, shape }: Question, nowMs: number): number {
  const isSameFailure = shape !== undefined && fact.shape === shape
  const relevance = isSameFailure
    ? 1
    : overlap(tellingWords(words), tellingWords(`${fact.text} ${fact.words}`))
  return relevance * decayOf(fact, nowMs) * trustOf(fact)
}

function overlap(asked: readonly string[], given: readonly string[]): number {
  const known = new Set(given)
  return asked.length === 0 ? 0 : asked.filter((word) => known.has(word)).length / asked.length
}

function decayOf({ isPinned, learntAtMs }: MemoryFact, nowMs: number): number {
  return isPinned ? 1 : 0.5 ** (Math.max(0, nowMs - learntAtMs) / halfLifeMs)
}

/** Rule of succession: an unused fact starts at one half. */
export function trustOf({ recalled, helped }: Pick<MemoryFact, 'recalled' | 'helped'>): number {
  return (helped + 1) / (recalled + 2)
}

function bestFacts(facts: readonly MemoryFact[], question: Question, nowMs: number): readonly MemoryFact[] {
  return facts
    .map((fact) => ({ fact, score: scoreOf(fact, question, nowMs) }))
    .filter(({ score }) => score >= leastScore)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxFacts)
    .map(({ fact }) => fact)
}

/** 90th percentile of the turns; undefined if there are too few runs. */
function usualTurns(turns: readonly number[]): number | undefined {
  if (turns.length < 10) return undefined
  const sorted = turns.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * 0.9) - 1]
}
