import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../ports/store.ts'
import { failedVerdict, passedVerdict } from '@donecheck/core/testing'
import { maxRemembered } from './remembered-verdicts.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { eachInFolder } from './fixtures/temporary-folder.ts'

let folder = ''
let file: string

eachInFolder((made) => {
  folder = made
  file = join(folder, 'store.sqlite')
})

/** Two remembered verdicts, then the file is changed outside of donecheck. */
async function damaged(sql: string): Promise<Store> {
  const store = openSqliteStore({ folder })
  await store.remember('key-1', failedVerdict('lint'))
  await store.remember('key-2', passedVerdict('tests'))
  await store.close()
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
  return openSqliteStore({ folder })
}

const ofFirst = `WHERE key = '"key-1"'`
const ofSecond = `(SELECT json FROM remembered_verdicts WHERE key = '"key-2"')`
const damages = {
  'is no JSON': `UPDATE remembered_verdicts SET json = '{' ${ofFirst}`,
  'is no verdict': `UPDATE remembered_verdicts SET json = '{}' ${ofFirst}`,
  'has another status': `UPDATE remembered_verdicts SET json = json_set(json, '$.verdict.status', 'passed') ${ofFirst}`,
  'has one other letter': `UPDATE remembered_verdicts SET json = replace(json, 'lint failed', 'lint fails!') ${ofFirst}`,
  'is that of another key': `UPDATE remembered_verdicts SET json = ${ofSecond} ${ofFirst}`,
  'is that of another key, with its digest': `UPDATE remembered_verdicts SET json = ${ofSecond}, digest =
    (SELECT digest FROM remembered_verdicts WHERE key = '"key-2"') ${ofFirst}`,
  'is nested too deep to be read': `UPDATE remembered_verdicts SET json = replace(hex(zeroblob(50000)), '0', '[') ${ofFirst}`,
  'has lost its digest': `UPDATE remembered_verdicts SET digest = '' ${ofFirst}`,
}

describe('given a remembered verdict that was damaged', () => {
  for (const [what, sql] of Object.entries(damages)) {
    it(`does not know it any more, and knows the others (it ${what})`, async () => {
      const store = await damaged(sql)
      expect(await store.recall('key-1')).toBeUndefined()
      expect(await store.recall('key-2')).toEqual(passedVerdict('tests'))
      await store.remember('key-1', failedVerdict('lint'))
      expect(await store.recall('key-1')).toEqual(failedVerdict('lint'))
      await store.close()
    })
  }
})

describe('given more verdicts than are remembered', () => {
  it('forgets the oldest', async () => {
    const store = openSqliteStore({ folder })
    await store.remember('first', passedVerdict('lint'))
    await store.remember('second', passedVerdict('lint'))
    await store.remember('first', failedVerdict('lint'))
    await store.close()
    const database = new DatabaseSync(file)
    const older = `UPDATE remembered_verdicts SET id = id - ${maxRemembered} WHERE key = '"second"'`
    database.exec(older)
    database.close()
    const again = openSqliteStore({ folder })
    await again.remember('third', passedVerdict('lint'))
    expect(await again.recall('second')).toBeUndefined()
    expect(await again.recall('first')).toEqual(failedVerdict('lint'))
    expect(await again.recall('third')).toEqual(passedVerdict('lint'))
    await again.close()
  })
})
