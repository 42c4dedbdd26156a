/** Where a run of lines stands, counted from 0; the places may overlap. @param pattern not empty */
export type LineSearch = (pattern: readonly string[]) => readonly number[]

/** What is done with each place that is found costs more than a comparison. */
const costOfPlace = 4

/** So many searches go through all lines; then it pays to know where each line stands. */
const searchesWithout = 3

/** What may still be spent on one file, in lines looked at; below zero nothing more is found. */
export interface SearchBudget {
  left: number
}

/** For all chunks of a patch on one file: about a second. */
export function searchBudget(): SearchBudget {
  return { left: 40_000_000 }
}

/** For lines in which runs of lines are sought once or a thousand times. */
export function lineSearch(lines: readonly string[], budget: SearchBudget): LineSearch {
  let searches = 0
  let positions: ReadonlyMap<string, readonly number[]> | undefined
  const throughAll: LineSearch = (pattern) => {
    const found = findRuns(lines, pattern)
    budget.left -= lines.length + found.length * costOfPlace
    return found
  }
  return (pattern) => {
    if (budget.left < 0) return []
    searches += 1
    if (searches <= searchesWithout) return throughAll(pattern)
    positions ??= Map.groupBy(lines.keys(), (index) => lines[index] ?? '')
    const { offset, at } = rarest(pattern, positions)
    // Where even the rarest line is everywhere, comparing at each place would take longer.
    if (at.length * pattern.length > lines.length * 2) return throughAll(pattern)
    budget.left -= at.length * (pattern.length + costOfPlace)
    return at
      .map((position) => position - offset)
      .filter((start) => pattern.every((line, index) => lines[start + index] === line))
  }
}

function rarest(
  pattern: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
): { readonly offset: number; readonly at: readonly number[] } {
  let best: { readonly offset: number; readonly at: readonly number[] } | undefined
  for (const [offset, line] of pattern.entries()) {
    const at = positions.get(line) ?? []
    if (best === undefined || at.length < best.at.length) best = { offset, at }
  }
  return best ?? { offset: 0, at: [] }
}

/** Knuth, Morris and Pratt: linear in both, whatever they hold. */
function findRuns(lines: readonly string[], pattern: readonly string[]): readonly number[] {
  const found: number[] = []
  const borders = bordersOf(pattern)
  let matched = 0
  for (const [index, line] of lines.entries()) {
    while (matched > 0 && line !== pattern[matched]) matched = borders[matched - 1] ?? 0
    if (line === pattern[matched]) matched += 1
    if (matched < pattern.length) continue
    found.push(index - matched + 1)
    matched = borders[matched - 1] ?? 0
  }
  return found
}

/** For each beginning of the pattern: how many of its first lines are its last lines too. */
function bordersOf(pattern: readonly string[]): number[] {
  const borders = [0]
  let matched = 0
  for (let index = 1; index < pattern.length; index += 1) {
    while (matched > 0 && pattern[index] !== pattern[matched]) matched = borders[matched - 1] ?? 0
    if (pattern[index] === pattern[matched]) matched += 1
    borders.push(matched)
  }
  return borders
}
