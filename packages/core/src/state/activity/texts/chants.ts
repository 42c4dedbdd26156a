/** Longer texts are judged by their end: what a drive that chants says last. */
const maxTextLength = 8000
const fewestCharacters = 400
/** So much of the reply is one passage over and over, counted from its end. */
const share = 0.6
const shortestPassage = 8
const fewestRepeats = 5

/** A fence that is closed: one that never is holds no code, because a drive that is lost in it never comes back. */
const fenced = /^[ \t]*(```|~~~).*\n[\s\S]*?^[ \t]*\1.*$/gm
/** A row of a table, a quote, a heading, an item of a list, a rule or a picture made of signs. */
const built = /^[ \t]*(?:[|>#]|[-*+•]\s|\d{1,4}[.)]\s|[^\p{L}\p{N}\n]*$).*$/gmu
const data = /^\s*[[{][\s\S]*[\]}]\s*$/

/**
 * Whether a reply says one passage over and over; case and spaces do not matter. Lists, tables, code and data repeat
 * themselves for a reason.
 */
export function chants(text: string): boolean {
  if (text.length < fewestCharacters || data.test(text)) return false
  const end = text.slice(-maxTextLength)
  const prose = flat(end.replace(fenced, '').replace(built, ''))
  const ending = prose.slice(-Math.ceil(flat(end).length * share))
  if (ending.length < flat(end).length * share) return false
  for (let period = 1; period * fewestRepeats <= ending.length; period += 1)
    if (ending.startsWith(ending.slice(period))) return period >= shortestPassage
  return false
}

function flat(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}
