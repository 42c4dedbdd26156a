import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract } from '../../../testing/contracts/store-contract.ts'
import { openSqliteStore } from './sqlite-store.ts'

storeContract('the SQLite store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-store-'))
  const store = openSqliteStore({ folder })
  return {
    store,
    dispose: async () => {
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
})
