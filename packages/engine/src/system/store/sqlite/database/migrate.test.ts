import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stamp, runStarted } from '@donecheck/core/testing'
import { goalSet, runStopped } from '@donecheck/core/testing/facts'
import { openDatabase } from './open-database.ts'
import { migrations } from './schema.ts'
import { openSqliteStore } from '../sqlite-store.ts'

const first = 'CREATE TABLE things (name TEXT NOT NULL) STRICT'
const second = "ALTER TABLE things ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'"

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-store-'))
  file = join(folder, 'store.sqlite')
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

function using<Result>(steps: readonly string[], work: (database: DatabaseSync) => Result): Result {
  const database = openDatabase(file, { steps })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

const things = (database: DatabaseSync) => database.prepare('SELECT * FROM things').all()
const pragma = (name: string) => (database: DatabaseSync) => database.prepare(`PRAGMA ${name}`).get()

describe('given a store of an older version', () => {
  it('lifts it by the steps that it lacks and keeps what is in it', () => {
    using([first], (database) => database.exec("INSERT INTO things VALUES ('ball')"))
    expect(using([first, second], things)).toMatchObject([{ name: 'ball', colour: 'red' }])
    expect(using([first, second], pragma('user_version'))).toMatchObject({ user_version: 2 })
  })

  it('is left as it was when a step fails, those before it included', () => {
    using([first], (database) => database.exec("INSERT INTO things VALUES ('ball')"))
    expect(() => using([first, second, 'CREATE NONSENSE'], things)).toThrow(/store\.sqlite: SQLite says/)
    expect(using([first], things)).toEqual([Object.assign(Object.create(null), { name: 'ball' })])
  })
})

describe('given runs from before caps, detectors, labels and drives were listed', () => {
  it('lists those that their events tell of, also where the events cannot be read', async () => {
    const stopped = runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' })
    const [capped, damaged] = ['run-1', 'run-2'].map((runId) =>
      stamp([runStarted(), goalSet(), stopped], { runId }).map((event) => ({
        ...event,
        text: JSON.stringify(event),
      })),
    )
    using(migrations.slice(0, 5), (database) => {
      const run = database.prepare(
        "INSERT INTO runs VALUES (?, 3, 1, 2, 'hard_cap', 'exhausted', NULL, 'a task', 0)",
      )
      const event = database.prepare('INSERT INTO events VALUES (?, ?, 1, ?, ?)')
      for (const [name, events = []] of [
        ['run-1', capped],
        ['run-2', damaged],
      ] as const) {
        run.run(name)
        for (const { sequence, type, text } of events)
          event.run(name, sequence, type, name === 'run-2' ? text.slice(0, -9) : text)
      }
    })
    const store = openSqliteStore({ folder })
    const listed = await store.list()
    await store.close()
    expect(listed.map(({ runId, cap, labels, drive }) => [runId, cap, labels, drive])).toEqual([
      ['run-2', undefined, [], undefined],
      ['run-1', 'tokens', [], 'test/model'],
    ])
  })
})

describe('given runs from before pages, changes and questions', () => {
  it('gives them by page, and tells what a process that opened the store before still writes', async () => {
    const before = openDatabase(file, { steps: migrations.slice(0, 7) })
    const insert = before.prepare(
      "INSERT INTO runs (run_id, events, started_at_ms, updated_at_ms, task) VALUES (?, 1, ?, 1, 'a task')",
    )
    const goOn = before.prepare('UPDATE runs SET events = events + 1 WHERE run_id = ?')
    for (const [index, runId] of ['run-1', 'run-2', 'run-3'].entries()) insert.run(runId, index)
    const store = openSqliteStore({ folder })
    const { runs, next } = await store.listPage({ limit: 2 })
    expect([runs.map(({ runId }) => runId), next]).toEqual([['run-3', 'run-2'], 'run-2'])
    const { latest, runIds } = await store.changes(0)
    expect(runIds).toEqual(['run-1', 'run-2', 'run-3'])
    goOn.run('run-2')
    insert.run('run-4', 9)
    before.close()
    expect((await store.changes(latest)).runIds).toEqual(['run-2', 'run-4'])
    await store.close()
  })
})

describe('given an open store', () => {
  it('has every commit on the disk before it is acknowledged', () => {
    expect(using([first], pragma('journal_mode'))).toMatchObject({ journal_mode: 'wal' })
    expect(using([first], pragma('synchronous'))).toMatchObject({ synchronous: 2 })
    expect(using([first], pragma('foreign_keys'))).toMatchObject({ foreign_keys: 1 })
    expect(using([first], pragma('busy_timeout'))).toMatchObject({ timeout: 5_000 })
  })
})
