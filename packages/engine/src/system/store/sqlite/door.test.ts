import { describe, expect, it } from 'vitest'
import { StoreError } from '../../../base/index.ts'
import { storeFailure } from './door.ts'

function sqliteError(errcode: number): Error {
  return Object.assign(new Error('what SQLite said'), { code: 'ERR_SQLITE_ERROR', errcode })
}

describe('given a failure of SQLite', () => {
  for (const [errcode, wayOut] of [
    [5, 'try again'],
    [517, 'try again'],
    [8, 'permissions'],
    [10, 'check the disk'],
    [2570, 'check the disk'],
    [11, 'move it away'],
    [13, 'free some space'],
    [14, 'choose another store folder'],
    [26, 'move it away'],
  ] as const) {
    it(`names the place, the way out and what was said (code ${errcode})`, () => {
      const failure = storeFailure('/state/store.sqlite', sqliteError(errcode))
      expect(failure).toBeInstanceOf(StoreError)
      expect(failure).toMatchObject({ place: '/state/store.sqlite' })
      expect(String(failure)).toContain(wayOut)
      expect(String(failure)).toContain(`"what SQLite said" (code ${errcode})`)
    })
  }
})
