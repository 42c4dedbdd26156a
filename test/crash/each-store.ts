/** The stores that several processes write to, each where it is kept. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { describeWithPostgres } from '../fleet/kit/postgres.ts'

/** The work is given a place of its own for a new, empty store: `storeAt` opens it, in any process. */
export type InStore = <Value>(work: (place: string) => Promise<Value>) => Promise<Value>

/** The same tests for each store. */
export function describeEachStore(title: string, body: (inStore: InStore) => void): void {
  describe(`${title}, in SQLite`, () => {
    body(async (work) => {
      const folder = await mkdtemp(join(tmpdir(), 'donecheck-store-'))
      try {
        return await work(folder)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  })
  describeWithPostgres(`${title}, in PostgreSQL`, (postgres) => {
    // A new tenant is a new store.
    body((work) => work(`${postgres().server.url}?tenant=${randomUUID()}`))
  })
}
