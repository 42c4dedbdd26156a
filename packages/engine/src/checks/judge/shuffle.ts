/** A fixed order favours what stands first. The same seed gives the same order. */
export function shuffleItems<Item>(items: readonly Item[], seed: number): readonly Item[] {
  let state = seed >>> 0
  return items
    .map((item) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return { item, rank: Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0 }
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}

/** From the first 31 bits of a digest. */
export function seedOf(digest: string): number {
  return Number.parseInt(digest.slice(0, 8), 16) >>> 1
}
