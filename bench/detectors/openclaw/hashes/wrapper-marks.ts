/**
 * Marks around content from outside carry a fresh 16-digit number each time. Of a matching pair the number is replaced, so that the
 * same content wrapped anew is the same. The marks may stand in text that was escaped, once or more, as a JSON string.
 */
const pair =
  /<<<EXTERNAL_UNTRUSTED_CONTENT id=(?<escapes>\\*)"(?<id>[a-f0-9]{16})\k<escapes>">>>(?<inner>(?:(?!<<<(?:END_)?EXTERNAL_UNTRUSTED_CONTENT)[\s\S])*)<<<END_EXTERNAL_UNTRUSTED_CONTENT id=\k<escapes>"\k<id>\k<escapes>">>>/g

const neutralId = '0'.repeat(16)

export function withoutMarkIds(text: string): string {
  return text.includes('<<<EXTERNAL_UNTRUSTED_CONTENT') ? text.replaceAll(pair, neutral) : text
}

function neutral(match: string, escapes: string, id: string, inner: string): string {
  if (!isEscapedText(escapes, inner)) return match
  const ending = `${escapes}">>>`
  const untilLastId = match.slice(0, -(id.length + ending.length))
  return `${untilLastId.replace(id, neutralId)}${neutralId}${ending}`
}

/** Escaped n times, a quote has 2^n - 1 backslashes before it, and each quote within has a whole number of such groups. */
function isEscapedText(escapes: string, inner: string): boolean {
  const group = escapes.length + 1
  if ((escapes.length & group) !== 0) return false
  return [...inner.matchAll(/(?<!\\)\\*"/g)].every(([quote]) => quote.length % group === 0)
}
