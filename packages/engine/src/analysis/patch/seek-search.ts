/** Search for a run of equal lines, linear in both whatever they hold. The places may overlap. */

/** Knuth, Morris and Pratt. An empty pattern is found everywhere, also behind the last line. */
export function findRuns(
  lines: readonly string[],
  pattern: readonly string[],
  from = 0,
  most = Infinity,
): number[] {
  const found: number[] = []
  if (pattern.length === 0) {
    for (let index = from; index <= lines.length && found.length < most; index += 1) found.push(index)
    return found
  }
  const borders = bordersOf(pattern)
  let matched = 0
  for (let index = from; index < lines.length && found.length < most; index += 1) {
    while (matched > 0 && lines[index] !== pattern[matched]) matched = borders[matched - 1] ?? 0
    if (lines[index] === pattern[matched]) matched += 1
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
