import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { StoreError } from '../../../base/index.ts'
import { sampleRun } from '@donecheck/core/testing'
import { migrations, openDatabase } from './open-database.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { eachInFolder } from './fixtures/temporary-folder.ts'

let base = ''
let folder: string

eachInFolder((made) => {
  base = made
  folder = join(base, 'state', 'project')
})

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

function openError(where = folder): StoreError {
  try {
    openSqliteStore({ folder: where })
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
  throw new Error('it was opened')
}

describe('given processes that live for one event, and leave the store open', () => {
  it('what the next one has to read anew stays small', async () => {
    const file = join(base, 'store.sqlite')
    const database = openDatabase(file, { synchronous: 'NORMAL' })
    database.exec('CREATE TABLE written (text)')
    const insert = database.prepare('INSERT INTO written VALUES (?)')
    for (let count = 0; count < 600; count += 1) insert.run('x'.repeat(3_000))
    const { size } = await stat(`${file}-wal`)
    database.close()
    expect(size).toBeLessThan(300 * 4_200)
  })
})

describe('given a folder that does not exist', () => {
  for (const umask of [0o000, 0o077, 0o277]) {
    it(`makes it and everything in it for the owner alone, under umask ${umask.toString(8)}`, async () => {
      await mkdir(join(base, 'state'))
      const before = process.umask(umask)
      try {
        const store = openSqliteStore({ folder })
        await store.append(0, sampleRun(), null)
        expect(await modeOf(folder)).toBe('700')
        for (const end of ['', '-wal', '-shm']) expect(await modeOf(`${store.place}${end}`)).toBe('600')
        await store.close()
      } finally {
        process.umask(before)
      }
    })
  }
})

describe('given a store that others may read', () => {
  it('takes that right from them, and leaves the folder of the user as it is', async () => {
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o755)
    await openSqliteStore({ folder }).close()
    const file = join(folder, 'store.sqlite')
    await chmod(file, 0o644)
    await openSqliteStore({ folder }).close()
    expect(await modeOf(file)).toBe('600')
    expect(await modeOf(folder)).toBe('755')
  })
})

describe('given a place that is no store', () => {
  it.skipIf(process.getuid?.() === 0)(
    'names a folder that may not be written (root may write anywhere)',
    async () => {
      await mkdir(folder, { recursive: true, mode: 0o500 })
      expect(openError().message).toMatch(/EACCES.*permissions/)
    },
  )

  it('names a file that is no database, and leaves every byte of it', async () => {
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'store.sqlite')
    await writeFile(file, 'not a database, but something of value\n'.repeat(100))
    const before = await readFile(file)
    expect(openError().message).toContain('is not a database: move it away')
    expect(await readFile(file)).toEqual(before)
  })

  for (const sql of ['CREATE TABLE theirs (a)', 'PRAGMA application_id = 7']) {
    it(`refuses a database of another program, and leaves every byte of it (${sql})`, async () => {
      await mkdir(folder, { recursive: true })
      const file = join(folder, 'store.sqlite')
      const theirs = new DatabaseSync(file)
      theirs.exec(sql)
      theirs.close()
      const before = await readFile(file)
      expect(openError().message).toContain('a database of another program')
      expect(await readFile(file)).toEqual(before)
    })
  }
})

describe('given a store of a newer version', () => {
  it('refuses it, names both versions and the way out, and changes nothing', async () => {
    const store = openSqliteStore({ folder })
    await store.append(0, sampleRun(), null)
    await store.close()
    const newer = migrations.length + 1
    setVersion(store.place, newer)
    const before = await readFile(store.place)
    const { message } = openError()
    expect(message).toContain(`version ${newer}; this donecheck reads up to version ${migrations.length}`)
    expect(message).toContain('update donecheck')
    expect(await readFile(store.place)).toEqual(before)
  })
})

function setVersion(file: string, version: number): void {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA user_version = ${version}; PRAGMA journal_mode = DELETE`)
  database.close()
}
