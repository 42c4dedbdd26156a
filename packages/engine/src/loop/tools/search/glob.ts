/**
 * Whether a path matches a pattern: `*` is any part of a name, `?` one character, `**` any number of folders. A
 * pattern without a slash is matched against the name alone, wherever the file is. The time is bounded by the product
 * of both lengths, whatever the pattern.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  if (!pattern.includes('/')) return matchesName(path.slice(path.lastIndexOf('/') + 1), pattern)
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  return matchesSequence(path.split('/'), parts, '**', matchesName)
}

function matchesName(name: string, pattern: string): boolean {
  const isSame = (character: string, wanted: string) => wanted === '?' || character === wanted
  return matchesSequence(Array.from(name), Array.from(pattern), '*', isSame)
}

/** With a joker that stands for any number of items: only the latest joker is ever tried again. */
function matchesSequence(
  items: readonly string[],
  pattern: readonly string[],
  joker: string,
  isMatch: (item: string, wanted: string) => boolean,
): boolean {
  let [item, wanted] = [0, 0]
  let retry: { readonly item: number; readonly wanted: number } | undefined
  while (item < items.length) {
    const [current, next] = [items[item] ?? '', pattern[wanted]]
    if (next === joker) {
      retry = { item, wanted }
      wanted += 1
    } else if (next !== undefined && isMatch(current, next)) {
      item += 1
      wanted += 1
    } else if (retry !== undefined) {
      retry = { item: retry.item + 1, wanted: retry.wanted }
      item = retry.item
      wanted = retry.wanted + 1
    } else return false
  }
  return pattern.slice(wanted).every((rest) => rest === joker)
}
