/** The stores that several processes write to, each where it is kept. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { describeWithPostgres } from '../fleet/kit/postgres.ts'
import { folderBeside } from './store-at.ts'

/** The work is given a place of its own for a new, empty store: `storeAt` opens it, in any process. */
export type InStore = <Value>(work: (place: string) => Promise<Value>) => Promise<Value>

export interface Extent {
  /** Of many moments that are alike: every third in SQLite, every eighth elsewhere, because the loop above the store is the same. */
  readonly share: <Item>(items: readonly Item[]) => readonly Item[]
}

/** The same tests for each store. */
export function describeEachStore(title: string, body: (inStore: InStore, extent: Extent) => void): void {
  describe(`${title}, in SQLite`, () => {
    body(inFolder, { share: everyNth(3) })
  })
  describeWithPostgres(`${title}, in PostgreSQL`, (postgres) => {
    // A new tenant is a new store.
    const inTenant: InStore = async (work) => {
      const place = `${postgres().server.url}?tenant=${randomUUID()}`
      try {
        return await work(place)
      } finally {
        await rm(folderBeside(place), { recursive: true, force: true })
      }
    }
    body(inTenant, { share: everyNth(8) })
  })
}

function everyNth(step: number): Extent['share'] {
  return (items) => items.filter((_, index) => index % step === 0)
}

async function inFolder<Value>(work: (place: string) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-store-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
