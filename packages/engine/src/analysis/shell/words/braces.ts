/** Brace expansion as the shell does it: on the text as it is written, before anything else. */

/** As many words one word may become. */
const maxWords = 64
/** In UTF-16 units. */
const maxWordLength = 4_096

/** Every text that the braces stand for; undefined: too many, or none that could be told. */
export function expandBraces(text: string): readonly string[] | undefined {
  if (text.length > maxWordLength) return undefined
  const expanded = expand(text, 0)
  return expanded === undefined || expanded.length > maxWords ? undefined : expanded
}

function expand(text: string, depth: number): readonly string[] | undefined {
  if (depth > 8) return undefined
  for (let from = nextBrace(text, 0); from >= 0; from = nextBrace(text, from + 1)) {
    const group = groupAt(text, from)
    const alternatives = group && alternativesOf(group.items, depth)
    if (alternatives === 'too many') return undefined
    if (group === undefined || alternatives === undefined) continue
    const rest = expand(text.slice(group.end), depth + 1)
    if (rest === undefined || alternatives.length * rest.length > maxWords) return undefined
    const before = text.slice(0, from)
    return alternatives.flatMap((middle) => rest.map((after) => before + middle + after))
  }
  return [text]
}

/** The next `{` that is neither quoted nor that of `${`. */
function nextBrace(text: string, start: number): number {
  for (let index = start; index < text.length; index = after(text, index))
    if (text[index] === '{') return index
  return -1
}

/** What stands between the commas; undefined: there is no closing brace. */
function groupAt(text: string, from: number): { items: readonly string[]; end: number } | undefined {
  const items: string[] = []
  let depth = 0
  let itemStart = from + 1
  for (let index = from; index < text.length; index = after(text, index)) {
    const letter = text[index]
    if (letter === '{') depth += 1
    if (letter === '}') depth -= 1
    if (depth === 0) return { items: [...items, text.slice(itemStart, index)], end: index + 1 }
    if (letter === ',' && depth === 1) {
      items.push(text.slice(itemStart, index))
      itemStart = index + 1
    }
  }
  return undefined
}

/** Behind this letter, or behind the quoted part or the expansion that begins with it. */
function after(text: string, index: number): number {
  const letter = text[index]
  if (letter === '\\') return index + 2
  if (letter === "'") return closing(text, index + 1, "'")
  if (letter === '"' || letter === '`') return closing(text, index + 1, letter)
  if (letter === '$' && text[index + 1] === '{') return closing(text, index + 2, '}')
  if (letter === '$' && text[index + 1] === '(') return closingParenthesis(text, index + 1)
  return index + 1
}

function closing(text: string, start: number, end: string): number {
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '\\' && end !== "'") index += 1
    else if (text[index] === end) return index + 1
  }
  return text.length
}

function closingParenthesis(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')') depth -= 1
    if (depth === 0) return index + 1
  }
  return text.length
}

function alternativesOf(items: readonly string[], depth: number): readonly string[] | 'too many' | undefined {
  const [only = ''] = items
  if (items.length === 1) return sequence(only)
  const expanded: string[] = []
  for (const item of items) {
    const inner = expand(item, depth + 1)
    if (inner === undefined || expanded.length + inner.length > maxWords) return 'too many'
    expanded.push(...inner)
  }
  return expanded
}

/** `1..3`, `a..c`, `0..9..3`. */
function sequence(item: string): readonly string[] | 'too many' | undefined {
  const [, first, last, by] =
    /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,6}))?$/.exec(item) ?? []
  if (first === undefined || last === undefined) return undefined
  const isNumeric = [first, last].every((end) => /\d/.test(end))
  if (!isNumeric && [first, last].some((end) => /\d/.test(end))) return undefined
  const [from, to] = isNumeric ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)]
  const step = Math.max(1, Math.abs(Number(by ?? 1))) * (from <= to ? 1 : -1)
  const count = Math.floor((to - from) / step) + 1
  if (count > maxWords) return 'too many'
  const width = [first, last].some((end) => /^-?0\d/.test(end)) ? Math.max(first.length, last.length) : 0
  return Array.from({ length: count }, (_, index) => formatItem(from + index * step, isNumeric, width))
}

function formatItem(value: number, isNumeric: boolean, width: number): string {
  if (!isNumeric) return String.fromCharCode(value)
  const digits = String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, '0')
  return value < 0 ? `-${digits}` : digits
}
