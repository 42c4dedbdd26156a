import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../../ports/loop.ts'

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  async sleep(ms, signal) {
    await delay(ms, undefined, { signal }).catch(() => undefined)
  },
}
