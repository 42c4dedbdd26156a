import type { Store } from '../../../ports/store.ts'

/** A new, empty store, and how to get rid of it after the test. */
export interface OpenedStore {
  readonly store: Store
  readonly dispose: () => Promise<void>
}

export type OpenStore = () => Promise<OpenedStore>

/** Declares a test with a store of its own. */
export type StoreTest = (story: string, test: (store: Store) => Promise<void>) => void

export async function withStore(open: OpenStore, use: (store: Store) => Promise<void>): Promise<void> {
  const { store, dispose } = await open()
  try {
    await use(store)
  } finally {
    await dispose()
  }
}
