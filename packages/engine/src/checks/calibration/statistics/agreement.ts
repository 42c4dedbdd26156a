/** How far two raters agree: pure, over counts. */

/** 0 to 1, ends included. */
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

/** What each of two raters says of one case, in any words. */
export type RatedPair = readonly [one: string, other: string]

/**
 * Agreement beyond chance, after Cohen (1960): 1 is full agreement, 0 what two raters reach who know nothing of the cases and
 * keep their shares of each word, below 0 less than that. Null where chance alone gives full agreement: of no case, or where
 * both always say the same one word.
 */
export function cohenKappa(pairs: readonly RatedPair[]): number | null {
  const words = new Set(pairs.flat())
  const shareOf = (rater: 0 | 1, word: string) =>
    pairs.filter((pair) => pair[rater] === word).length / pairs.length
  const byChance = [...words].reduce((sum, word) => sum + shareOf(0, word) * shareOf(1, word), 0)
  if (words.size < 2) return null
  const agreed = pairs.filter(([one, other]) => one === other).length / pairs.length
  return (agreed - byChance) / (1 - byChance)
}
