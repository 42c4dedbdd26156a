import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../ports.ts'

/** Never goes back, and knows fractions of a millisecond: most hooks are faster than one. */
export const realTime: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  async sleep(ms, signal) {
    await delay(ms, undefined, { signal }).catch(() => undefined)
  },
}
