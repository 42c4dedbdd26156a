import { describe, test } from 'vitest'
import { attachmentContract } from './store/attachment-contract.ts'
import { closingContract } from './store/closing-contract.ts'
import { eventLogContract } from './store/event-log-contract.ts'
import { goalRequestContract } from './store/goal-request-contract.ts'
import { hostSessionContract } from './store/host-session-contract.ts'
import { leaseContract } from './store/lease-contract.ts'
import { withStore, type OpenStore, type StoreTest } from './store/opened-store.ts'
import { questionContract } from './store/question-contract.ts'
import { runPageContract } from './store/run-page-contract.ts'
import { runRowContract } from './store/run-row-contract.ts'
import { rememberedVerdictContract } from './store/remembered-verdict-contract.ts'
import { summaryContract } from './store/summary-contract.ts'

export type { OpenedStore } from './store/opened-store.ts'

/** What every store keeps to (ports.ts). Call it in a test file: each test opens a store of its own and disposes of it. */
export function storeContract(name: string, open: OpenStore): void {
  const it: StoreTest = (story, run) => test(story, () => withStore(open, run))
  describe(`${name} is a store`, () => {
    eventLogContract(it)
    summaryContract(it)
    leaseContract(it)
    attachmentContract(it)
    rememberedVerdictContract(it)
    hostSessionContract(it)
    goalRequestContract(it)
    runRowContract(it)
    runPageContract(it, open)
    questionContract(it)
    closingContract(it)
  })
}
