/** The page over a store in memory, served by this process. */
import type { Store } from '@donecheck/engine/internal/ports/store'
import { memoryStore } from '@donecheck/engine/store'
import { startService } from '@donecheck/server'

export interface Served extends AsyncDisposable {
  readonly store: Store
  readonly url: string
  /** Logs the browser in. */
  readonly link: string
}

export async function serveStore(store: Store = memoryStore()): Promise<Served> {
  const service = await startService({ store, host: '127.0.0.1', port: 0 })
  return {
    store,
    url: service.url,
    link: `${service.url}/login?token=${service.token ?? ''}`,
    [Symbol.asyncDispose]: () => service.close(),
  }
}
