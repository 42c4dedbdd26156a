/** How much of a text is one part over and over. Lists, tables, code and data repeat themselves for a reason. */

/** A part that is repeated is at least so long, and stands there at least so often. */
const shortestPeriod = 8
const fewestRepeats = 5
/** Longer texts are judged by their end: what a drive that chants says last. */
const maxTextLength = 8000

/** Of a line without the blanks before it: with them the pattern takes quadratic time. */
const builtLine = /^(?:[|>#]|[-*+•]\s|\d{1,4}[.)]\s|[^\p{L}\p{N}]*$)/u
const fence = /^\s*(?:```|~~~)/

/**
 * The share of the text, 0 to 1, that is one part of its prose over and over, counted from its end; case and spaces do not
 * matter. Linear: the prefix function of Knuth, Morris and Pratt over the reversed text gives the shortest period of every
 * ending.
 */
export function chantingOf(text: string): number {
  if (text.length < shortestPeriod * fewestRepeats) return 0
  const end = text.slice(-maxTextLength)
  const whole = flat(end)
  const prose = flat(proseOf(end))
  if (prose.length < shortestPeriod * fewestRepeats) return 0
  const repeated = repeatedEnding(prose)
  return repeated === 0 || isData(text) ? 0 : repeated / whole.length
}

function flat(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}

/** A fence that is never closed holds no code: a drive that is lost in it never comes back. */
function proseOf(text: string): string {
  const lines = text.split('\n')
  const kept: string[] = []
  let fenced: string[] | undefined
  for (const line of lines) {
    if (fence.test(line)) fenced = fenced === undefined ? [] : undefined
    else if (fenced !== undefined) fenced.push(line)
    else if (!isBuilt(line)) kept.push(line)
  }
  return [...kept, ...(fenced ?? [])].join('\n')
}

/** What is no prose: a row of a table, a quote, a heading, an item of a list, a rule or a picture made of signs. */
export function isBuilt(line: string): boolean {
  return builtLine.test(line.trimStart())
}

function isData(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Length of the longest ending that has a period short enough to stand there often enough. */
function repeatedEnding(text: string): number {
  const { length } = text
  const borders = new Uint16Array(length)
  let longest = 0
  for (let index = 1, border = 0; index < length; index += 1) {
    const unit = text.charCodeAt(length - 1 - index)
    while (border > 0 && unit !== text.charCodeAt(length - 1 - border)) border = borders[border - 1] ?? 0
    if (unit === text.charCodeAt(length - 1 - border)) border += 1
    borders[index] = border
    const period = index + 1 - border
    if (period >= shortestPeriod && period * fewestRepeats <= index + 1) longest = index + 1
  }
  return longest
}
