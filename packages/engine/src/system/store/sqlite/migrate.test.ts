import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './open-database.ts'

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

describe('given an open store', () => {
  it('has every commit on the disk before it is acknowledged', () => {
    expect(using([first], pragma('journal_mode'))).toMatchObject({ journal_mode: 'wal' })
    expect(using([first], pragma('synchronous'))).toMatchObject({ synchronous: 2 })
    expect(using([first], pragma('foreign_keys'))).toMatchObject({ foreign_keys: 1 })
    expect(using([first], pragma('busy_timeout'))).toMatchObject({ timeout: 5_000 })
  })
})
