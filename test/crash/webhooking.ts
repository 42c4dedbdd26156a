/** Sends webhooks of a store until it is killed: `webhooking.ts FOLDER URL SECRET LATER_MS`, the last one how far its clock is ahead. */
import { join } from 'node:path'
import { systemClock } from '@donecheck/engine/internal/loop/run'
import { openSqliteStore } from '@donecheck/engine/store'
import { startWebhooks } from '@donecheck/server/internal/webhooks'

const [folder = '', url = '', secret = '', laterMs = '0'] = process.argv.slice(2)

await startWebhooks({
  store: openSqliteStore({ folder }),
  urls: [url],
  secret: Buffer.from(secret, 'base64'),
  file: join(folder, 'webhooks.sqlite'),
  // What a killed process had claimed is free again after a while: that while is over at once.
  clock: {
    nowMs: () => Date.now() + Number(laterMs),
    sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
  },
})
process.stdout.write('started\n')
