export interface Interval {
  readonly low: number
  readonly high: number
}

/** 95% of a normal distribution lie within this number of standard deviations. */
const standardScore95 = 1.959964

/** 95% interval of a ratio, after Wilson (1927): suits few cases. Without cases it is 0 to 1. */
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

/** Reproducible numbers in [0, 1): mulberry32. @param seed 32-bit integer */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
