/** A worker in a process of its own, to be killed. Words: its settings, as JSON. */
import { flushCompileCache } from 'node:module'
import { openSqliteStore } from '@donecheck/engine/store'
import { z } from 'zod'
import { runFolders, startWorker } from '@donecheck/fleet/internal/worker'
import { scriptedOpener } from './scripted-opener.ts'

export const workerSettings = z.object({
  workerId: z.string(),
  ingressUrl: z.string(),
  adminUrl: z.string(),
  storeFolder: z.string(),
  effectsFolder: z.string(),
  runsFolder: z.string(),
  slots: z.number(),
})

const { storeFolder, effectsFolder, runsFolder, ...settings } = workerSettings.parse(
  JSON.parse(process.argv[2] ?? ''),
)
const store = openSqliteStore({ folder: storeFolder })
const worker = await startWorker({
  ...settings,
  listen: { host: '127.0.0.1', port: 0 },
  version: '1',
  labels: [],
  heartbeatMs: 300,
  storeOf: async () => store,
  opener: scriptedOpener(effectsFolder, settings.workerId),
  folders: runFolders({ folder: runsFolder, credentials: [] }),
  log: (message) => void process.stderr.write(`${message}\n`),
})
process.once('SIGTERM', () => {
  void worker.drain().then(() => process.exit(0))
})
process.stdout.write('ready\n')
flushCompileCache()
