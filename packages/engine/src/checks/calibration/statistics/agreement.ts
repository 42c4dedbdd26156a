/** How far two raters agree: pure, over counts. */

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
