/** Splits an example into words as a shell would, without any expansion. */

/** Blanks, a comment where a word could begin, or a word with all its quotes. */
const item = /[ \t\n]+|#[^\n]*|(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^'"\\ \t\n])+/gy
const quoted = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g

/** Undefined where a quote or an escape is not closed. `#` at the start of a word begins a comment. */
export function splitWords(text: string): readonly string[] | undefined {
  const items = text.match(item) ?? []
  if (items.join('').length < text.length) return undefined
  return items.filter((part) => !/^[ \t\n#]/.test(part)).map((word) => word.replace(quoted, withoutQuotes))
}

/** A backslash at a line end joins the lines; in double quotes it stands for itself before most characters. */
function withoutQuotes(_: string, single?: string, double?: string, escaped?: string): string {
  if (single !== undefined) return single
  if (double !== undefined) return double.replace(/\\([\n$`"\\])/g, (_whole, next: string) => joined(next))
  return joined(escaped ?? '')
}

function joined(character: string): string {
  return character === '\n' ? '' : character
}
