import { randomBytes } from 'node:crypto'
import type { Clock, Ids } from '../../../ports/loop.ts'
import { setTimeout as delay } from 'node:timers/promises'

/** Crockford's letters for the digits from 10 on, without I, L, O and U. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ'
const length = 26
const randomBits = 80n

/** ULIDs: 48 bits of time, 80 random ones. Within a millisecond they count up, so that they stay sorted. */
export function sortableIds(clock: Clock): Ids {
  let last = 0n
  return {
    next() {
      const time = BigInt(Math.floor(clock.nowMs())) << randomBits
      const fresh = time | BigInt(`0x${randomBytes(Number(randomBits) / 8).toString('hex')}`)
      last = time > last ? fresh : last + 1n
      return last.toString(32).padStart(length, '0').replace(/[a-v]/g, letterOf)
    },
  }
}

/** @param digit of base 32 as JavaScript writes it */
function letterOf(digit: string): string {
  return letters.charAt(Number.parseInt(digit, 32) - 10)
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  async sleep(ms, signal) {
    await delay(ms, undefined, { signal }).catch(() => undefined)
  },
}
