import { storeContract } from '../../../testing/contracts/store-contract.ts'
import { memoryStore } from './memory-store.ts'

storeContract('the memory store', async () => {
  const store = memoryStore()
  return { store, dispose: () => store.close() }
})
