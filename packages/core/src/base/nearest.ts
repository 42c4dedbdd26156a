/** What somebody probably meant who wrote a word that nobody knows. */

/** The known word that is few letters away, whatever their case; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const mostLetters = Math.max(2, Math.floor(word.length / 3))
  return known
    .map((name) => ({ name, letters: lettersApart(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ letters }) => letters <= mostLetters)
    .toSorted((one, other) => one.letters - other.letters)[0]?.name
}

/** Letters to change, to add and to leave out, at least (Levenshtein). */
function lettersApart(one: string, other: string): number {
  const letters = Array.from(other)
  const empty = [0, ...letters.map((_, at) => at + 1)]
  const last = Array.from(one).reduce((above, letter, line) => {
    const row = [line + 1]
    for (const [at, wanted] of letters.entries()) {
      const changed = (above[at] ?? 0) + (letter === wanted ? 0 : 1)
      row.push(Math.min(changed, (above[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1))
    }
    return row
  }, empty)
  return last.at(-1) ?? 0
}
