/** How far a number of a sample may be from that of all: pure, and the same for the same sample. */

export interface Interval {
  readonly low: number
  readonly high: number
}

/** Of the normal distribution: 95 % lie within so many standard deviations. */
const standardScore95 = 1.959964

/**
 * Where the true share lies with 95 % confidence, after Wilson (1927): unlike the plain interval it stays within 0 and 1, and
 * is honest for few cases and for shares near the ends. Of no case it is everything.
 */
export function wilsonInterval(successes: number, cases: number): Interval {
  if (cases === 0) return { low: 0, high: 1 }
  const share = successes / cases
  const square = standardScore95 ** 2
  const middle = (share + square / (2 * cases)) / (1 + square / cases)
  const half =
    (standardScore95 / (1 + square / cases)) *
    Math.sqrt((share * (1 - share)) / cases + square / (4 * cases ** 2))
  return {
    low: Math.max(0, Math.min(share, middle - half)),
    high: Math.min(1, Math.max(share, middle + half)),
  }
}

/** Numbers of at least 0 and less than 1 that can be had again: mulberry32. @param seed a 32-bit whole number */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
