import { randomUUID } from 'node:crypto'
import { storeContract } from '../../../engine/src/testing/contracts/store-contract.ts'
import { describeWithPostgres } from '../../../../test/fleet/kit/postgres.ts'
import { postgresStore } from './postgres-store.ts'

describeWithPostgres('given a PostgreSQL', (postgres) => {
  // Each test has a tenant of its own, whose store is empty.
  storeContract('the PostgreSQL store', async () => {
    const store = await postgresStore({ url: postgres().server.url, tenant: randomUUID() })
    return { store, dispose: () => store.close() }
  })
})
