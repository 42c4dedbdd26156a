/** Clock and names for a process that lives for one event, without the modules that it would load for nothing else. */
import type { Clock, Ids } from '../../ports.ts'

export const quickClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    }),
}

/** Crockford's alphabet, as in all names. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const timeLetters = 10
const randomLetters = 16

/** Of the form that all names have: time, then chance. Within one process later ones sort after earlier ones. */
export function quickIds(clock: Pick<Clock, 'nowMs'>): Ids {
  const beginning = letters(clock.nowMs(), timeLetters)
  const chance = Array.from({ length: randomLetters - 4 }, () =>
    alphabet.charAt(Math.floor(Math.random() * 32)),
  )
  let count = 0
  return {
    next() {
      count += 1
      return beginning + chance.join('') + letters(count, 4)
    },
  }
}

function letters(value: number, length: number): string {
  let [rest, text] = [value, '']
  for (let place = 0; place < length; place += 1) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}
