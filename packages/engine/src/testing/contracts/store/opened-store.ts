import type { Store } from '../../../ports/store.ts'

/** A new, empty store, and how to get rid of it after the test. */
export interface OpenedStore {
  readonly store: Store
  readonly dispose: () => Promise<void>
}

export type OpenStore = () => Promise<OpenedStore>

/** A test with a store of its own. */
export function withStore(open: OpenStore, test: (store: Store) => Promise<void>): () => Promise<void> {
  return async () => {
    const { store, dispose } = await open()
    try {
      await test(store)
    } finally {
      await dispose()
    }
  }
}
