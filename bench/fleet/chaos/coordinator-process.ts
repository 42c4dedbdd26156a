/** The coordinator in a process of its own, to be killed. Words: its settings, as JSON. */
import { flushCompileCache } from 'node:module'
import { restateAdmin, serveCoordinator } from '@donecheck/fleet/internal/coordinator'
import { z } from 'zod'

export const coordinatorSettings = z.strictObject({
  adminUrl: z.string(),
  port: z.number(),
  lostAfterMs: z.number(),
})

const { adminUrl, port, lostAfterMs } = coordinatorSettings.parse(JSON.parse(process.argv[2] ?? ''))
await serveCoordinator({
  admin: restateAdmin(adminUrl),
  listen: { host: '127.0.0.1', port },
  version: '1',
  lostAfterMs,
  log: (message) => void process.stderr.write(`coordinator: ${message}\n`),
})
// Whoever started it is gone.
process.once('disconnect', () => process.exit(1))
process.send?.('ready')
flushCompileCache()
