/** The string literals of a source text, found in one pass. */

export interface Literal {
  readonly value: string
  /** The code right before it, without the white space between. */
  readonly before: string
  /** It begins with a part that is only known when it runs. */
  readonly isTail: boolean
}

export interface LiteralStyle {
  readonly lineComment: '//' | '#'
  readonly quotes: string
  /** Strings that reach over lines: three quotes (Python), or none. */
  readonly hasTripleQuotes: boolean
}

const maxLiteralLength = 300
const lookBehind = 48

/** Comments are left out. A string without an end ends with its line, one of several lines with the text. */
export function literalsOf(text: string, style: LiteralStyle): readonly Literal[] {
  const found: Literal[] = []
  const interesting = new RegExp(`${style.lineComment === '#' ? '#' : '/[/*]'}|[${style.quotes}]`, 'gu')
  for (let match = interesting.exec(text); match !== null; match = interesting.exec(text)) {
    const at = match.index
    const end = endOf(text, at, match[0], style)
    interesting.lastIndex = end
    if (!style.quotes.includes(match[0])) continue
    const literal = literalOf(text, at, end)
    if (literal !== undefined) found.push(literal)
  }
  return found
}

/** The place behind what begins at `at`. */
function endOf(text: string, at: number, opening: string, { hasTripleQuotes }: LiteralStyle): number {
  if (opening === '/*') return behind(text, '*/', at + 2)
  if (opening === '//' || opening === '#') return behind(text, '\n', at)
  const triple = opening.repeat(3)
  if (hasTripleQuotes && text.startsWith(triple, at)) return behind(text, triple, at + 3)
  for (let index = at + 1; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\\') index += 1
    else if (character === opening) return index + 1
    else if (character === '\n' && opening !== '`') return index
  }
  return text.length
}

/** The place behind the next ending; without one, the end of the text. */
export function behind(text: string, ending: string, from: number): number {
  const found = text.indexOf(ending, from)
  return found === -1 ? text.length : found + ending.length
}

function literalOf(text: string, at: number, end: number): Literal | undefined {
  const written = text
    .slice(at, Math.min(end, at + maxLiteralLength))
    .replace(/^(?:"""|'''|["'`])|(?:"""|'''|["'`])$/gu, '')
  const expansion = written.lastIndexOf('}')
  const isTail = text[at] === '`' && expansion !== -1
  const value = isTail ? written.slice(expansion + 1) : written
  if (value === '' || end - at > maxLiteralLength) return undefined
  return { value, before: text.slice(Math.max(0, at - lookBehind), at).trimEnd(), isTail }
}
