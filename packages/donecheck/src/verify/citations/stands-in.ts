/** Characters that an ellipsis may stand for: longer ones join what was never said together. */
const longestGap = 500

const ellipsis = /\s*(?:\[\s*(?:…|\.{3})\s*\]|\(\s*(?:…|\.{3})\s*\)|…|\.{3,})\s*/

/**
 * Whether a quotation stands in a document, word for word. White space, the kinds of quotation marks, apostrophes and
 * dashes, and punctuation at the end of the quotation do not count; `…`, `...`, `[…]` stand for at most 500 characters.
 */
export function standsIn(quote: string, document: string): boolean {
  const text = plain(document)
  const parts = plain(quote)
    .split(ellipsis)
    .map((part) => part.replace(/[\s.,;:!?]+$/, '').trim())
    .filter((part) => part !== '')
  const [first, ...rest] = parts
  if (first === undefined) return false
  let ends = placesOf(first, text).map(({ end }) => end)
  for (const part of rest) {
    const before = ends
    ends = placesOf(part, text)
      .filter(({ start }) => before.some((end) => start >= end && start - end <= longestGap))
      .map(({ end }) => end)
  }
  return ends.length > 0
}

interface Place {
  readonly start: number
  readonly end: number
}

/** Whole words only: "true" does not stand in "untrue". */
function placesOf(part: string, text: string): readonly Place[] {
  const places: Place[] = []
  for (let start = text.indexOf(part); start >= 0; start = text.indexOf(part, start + 1)) {
    const end = start + part.length
    if (!isWithinWord(text, start) && !isWithinWord(text, end)) places.push({ start, end })
  }
  return places
}

function isWithinWord(text: string, at: number): boolean {
  const letter = /[\p{L}\p{N}\p{M}]/u
  return at > 0 && at < text.length && letter.test(text.charAt(at - 1)) && letter.test(text.charAt(at))
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
}
