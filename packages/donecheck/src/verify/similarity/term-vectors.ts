/**
 * TF-IDF, the classic measure of shared words. Weight of a word in a text: its count there, times
 * `ln((1 + n) / (1 + df)) + 1`, where `df` of the `n` texts have it: the smoothed inverse document frequency of Manning,
 * Raghavan and Schütze, *Introduction to Information Retrieval* (2008), section 6.2, in the variant with added ones that
 * scikit-learn uses by default. Pure.
 */

/** Weight of each word. */
export type TermVector = ReadonlyMap<string, number>

/** Words: runs of letters, marks and digits, in lower case and compatibility form. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}

/** One vector for each text, over all of them. */
export function termVectors(texts: readonly string[]): readonly TermVector[] {
  const counts = texts.map((text) => countsOf(wordsOf(text)))
  const frequency = countsOf(counts.flatMap((count) => [...count.keys()]))
  const weightOf = (word: string) => Math.log((1 + texts.length) / (1 + (frequency.get(word) ?? 0))) + 1
  return counts.map((count) => new Map([...count].map(([word, times]) => [word, times * weightOf(word)])))
}

/** 0 to 1; 0 where one of them has no word. */
export function cosineOf(one: TermVector, other: TermVector): number {
  const length = lengthOf(one) * lengthOf(other)
  if (length === 0) return 0
  let product = 0
  for (const [word, weight] of one) product += weight * (other.get(word) ?? 0)
  return Math.min(1, product / length)
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** A text may have more words than a call may have arguments. */
function lengthOf(vector: TermVector): number {
  let squares = 0
  for (const weight of vector.values()) squares += weight * weight
  return Math.sqrt(squares)
}
