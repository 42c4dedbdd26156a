/** A worker in a process of its own, to be killed. Words: its settings, as JSON. */
import { flushCompileCache } from 'node:module'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { postgresStore } from '@donecheck/fleet/internal/postgres'
import { runFolders, startWorker } from '@donecheck/fleet/internal/worker'
import { z } from 'zod'
import { scriptedOpener } from './scripted-opener.ts'

export const workerSettings = z.strictObject({
  workerId: z.string(),
  ingressUrl: z.string(),
  adminUrl: z.string(),
  storeUrl: z.string(),
  ledgerPath: z.string(),
  /** Of its machine: no other worker has it. */
  folder: z.string(),
  slots: z.number(),
  heartbeatMs: z.number(),
})

const { storeUrl, ledgerPath, folder, ...settings } = workerSettings.parse(JSON.parse(process.argv[2] ?? ''))
const stores = new Map<string, Promise<Store>>()

await startWorker({
  ...settings,
  listen: { host: '127.0.0.1', port: 0 },
  version: '1',
  labels: [],
  storeOf,
  opener: scriptedOpener(ledgerPath, settings.workerId),
  folders: runFolders({ folder, credentials: [] }),
  log: (message) => void process.stderr.write(`${settings.workerId}: ${message}\n`),
})
// Whoever started it is gone.
process.once('disconnect', () => process.exit(1))
process.send?.('ready')
flushCompileCache()

/** One that could not be opened is opened anew. */
function storeOf(tenant: string): Promise<Store> {
  const known = stores.get(tenant) ?? postgresStore({ url: storeUrl, tenant })
  stores.set(tenant, known)
  known.catch(() => stores.delete(tenant))
  return known
}
