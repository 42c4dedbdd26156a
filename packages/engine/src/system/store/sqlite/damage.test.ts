import { writeFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { CorruptEventError, StoreError } from '../../../base/index.ts'
import type { Store } from '../../../ports/store.ts'
import { sampleRun, sampleTurns } from '@donecheck/core/testing'
import { openDatabase } from './open-database.ts'
import { openSqliteStore, sqliteStore } from './sqlite-store.ts'
import { eachInFolder } from './fixtures/temporary-folder.ts'

let folder = ''
let file: string

eachInFolder((made) => {
  folder = made
  file = join(folder, 'store.sqlite')
})

/** A store with two runs, the first of which was changed outside of donecheck. */
async function damaged(sql: string): Promise<Store> {
  const store = openSqliteStore({ folder })
  await store.append(0, sampleRun('run-1'), null)
  await store.append(0, sampleRun('run-2'), null)
  await store.close()
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
  return openSqliteStore({ folder })
}

const damages = {
  'is no JSON': "UPDATE events SET json = '{' WHERE run_id = 'run-1' AND sequence = 5",
  'is no event': "UPDATE events SET json = '{}' WHERE run_id = 'run-1' AND sequence = 5",
  'is of a newer schema':
    "UPDATE events SET json = json_set(json, '$.schemaVersion', 2) WHERE run_id = 'run-1' AND sequence = 5",
  'is nested too deep to be read':
    "UPDATE events SET json = replace(hex(zeroblob(50000)), '0', '[') WHERE run_id = 'run-1' AND sequence = 5",
  'was replaced by that of another run':
    "UPDATE events SET json = (SELECT json FROM events WHERE run_id = 'run-2' AND sequence = 5) WHERE run_id = 'run-1' AND sequence = 5",
  'was replaced by a later one':
    "UPDATE events SET json = (SELECT json FROM events WHERE run_id = 'run-1' AND sequence = 6) WHERE run_id = 'run-1' AND sequence = 5",
  'was taken out': "DELETE FROM events WHERE run_id = 'run-1' AND sequence = 5",
  'was cut off with all that follows': "DELETE FROM events WHERE run_id = 'run-1' AND sequence >= 5",
}

describe.each(Object.entries(damages))('given a run of which one event %s', (_, sql) => {
  it('is read up to it, and whole again when the rest was put aside, which nobody has deleted', async () => {
    const store = await damaged(sql)
    const { events, problem } = await store.readAsFar('run-1')
    expect(events).toEqual(sampleRun('run-1').slice(0, 4))
    expect(problem).toMatchObject({ runId: 'run-1', sequence: 5 })
    await expect(store.read('run-1')).rejects.toThrow(CorruptEventError)
    let aside: readonly string[] = []
    await store.cutOff('run-1', 5, (texts) => (aside = texts))
    expect(await store.read('run-1')).toEqual(events)
    const later = sql.includes('>=') ? [] : sampleRun('run-1').slice(5)
    expect(aside).toEqual(expect.arrayContaining(later.map((event) => JSON.stringify(event))))
    expect((await store.list()).find(({ runId }) => runId === 'run-1')).toMatchObject({ events: 4 })
    expect(await store.read('run-2')).toEqual(sampleRun('run-2'))
    await store.close()
  })

  it('stays as it is where the rest cannot be kept', async () => {
    const store = await damaged(sql)
    const full = () => {
      throw new RangeError('the disk is full')
    }
    await expect(store.cutOff('run-1', 5, full)).rejects.toThrow('the disk is full')
    expect((await store.readAsFar('run-1')).problem).toMatchObject({ sequence: 5 })
    await store.close()
  })
})

describe('given a file that was damaged as a whole', () => {
  it('says so and how to go on, when pages are overwritten', async () => {
    await openSqliteStore({ folder }).close()
    const content = await readFile(file)
    await writeFile(file, content.fill(0xaa, 4_096))
    const store = openSqliteStore({ folder })
    await expect(store.list()).rejects.toThrow(/damaged: move it away/)
    await expect(store.list()).rejects.toThrow(StoreError)
    await store.close()
  })
})

describe('given a disk that is full', () => {
  it('writes all of an append or nothing, and says what to do', async () => {
    const database = openDatabase(file)
    const store = sqliteStore(database, file)
    const events = sampleTurns(2_000)
    await store.append(0, events.slice(0, 2), null)
    database.exec('PRAGMA max_page_count = 20')
    await expect(store.append(2, events.slice(2), null)).rejects.toThrow(/the disk is full: free some space/)
    expect(await store.read('run-1')).toEqual(events.slice(0, 2))
    expect(await store.list()).toMatchObject([{ events: 2 }])
    database.exec('PRAGMA max_page_count = 100000')
    expect(await store.append(2, events.slice(2), null)).toEqual({ kind: 'appended' })
    expect(await store.read('run-1')).toEqual(events)
    await store.close()
  })
})
