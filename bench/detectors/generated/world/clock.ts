/** Times and other marks of the moment, as real outputs carry them. */
import type { Random } from '../random.ts'

export interface Clock {
  /** Goes on by some seconds. */
  pass(seconds: number): void
  /** The time as this run writes it: each run has one way. */
  mark(): string
}

const month = (now: Date) => now.toLocaleString('en', { month: 'short', timeZone: 'UTC' })

const formats: readonly ((now: Date) => string)[] = [
  // 2026-03-04T05:06:07Z
  (now) => now.toISOString().replace(/\.\d+Z$/, 'Z'),
  // 2026-03-04T05:06:07.017Z
  (now) => now.toISOString(),
  // 2026-03-04 05:06:07
  (now) => now.toISOString().slice(0, 19).replace('T', ' '),
  // 05:06:07
  (now) => now.toISOString().slice(11, 19),
  // 04/Mar/2026:05:06:07 +0000
  (now) =>
    `${now.toISOString().slice(8, 10)}/${month(now)}/${now.getUTCFullYear()}:${now.toISOString().slice(11, 19)} +0000`,
  // 1772600767017
  (now) => String(now.getTime()),
]

export function clockFrom(random: Random): Clock {
  const now = new Date(Date.UTC(2026, 2, 1) + random.between(0, 90 * 86_400) * 1000 + random.between(0, 999))
  const format = random.pick(formats)
  return {
    pass(seconds) {
      now.setTime(now.getTime() + seconds * 1000 + 17)
    },
    mark: () => format(now),
  }
}

/** `1.23s`, `840ms`: how long something took, never the same for long. */
export function duration(random: Random): string {
  return random.chance(0.5)
    ? `${random.between(0, 9)}.${random.between(10, 99)}s`
    : `${random.between(20, 990)}ms`
}
