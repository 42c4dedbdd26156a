import { randomBytes } from 'node:crypto'
import type { Clock, Ids } from '../../../ports/loop.ts'
import { setTimeout as delay } from 'node:timers/promises'

/** Crockford's alphabet, without I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const timeLength = 10
const randomLength = 16

/** ULIDs. Within a millisecond the random part counts up, so that ids of a process stay sorted. */
export function sortableIds(clock: Clock): Ids {
  let lastMs = -1
  let digits: number[] = []
  const randomDigits = (): number[] =>
    Array.from(randomBytes(randomLength), (byte, place) => byte % (place === 0 ? 16 : 32))
  return {
    next() {
      const nowMs = Math.max(clock.nowMs(), lastMs)
      digits = nowMs === lastMs ? increment(digits) : randomDigits()
      lastMs = nowMs
      return timePart(nowMs) + digits.map(letter).join('')
    },
  }
}

function letter(digit: number): string {
  return alphabet.charAt(digit)
}

function timePart(ms: number): string {
  let rest = ms
  let text = ''
  for (let place = 0; place < timeLength; place += 1) {
    text = letter(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

function increment(digits: readonly number[]): number[] {
  const next = [...digits]
  for (let place = next.length - 1; place >= 0; place -= 1) {
    const digit = next[place] ?? 0
    next[place] = (digit + 1) % 32
    if (digit < 31) break
  }
  return next
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  async sleep(ms, signal) {
    await delay(ms, undefined, { signal }).catch(() => undefined)
  },
}
