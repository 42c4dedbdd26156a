/** Reads single lines of source: brackets, texts in quotes, arguments. Pure. */

/** From 1 to 9, not the same each time: what a number or a letter is changed by. */
export type Shift = () => number

/** How a line is made false. */
export interface Values {
  readonly shift: Shift
  /** What stands for a value that is not written out: another one. Undefined: such a value stays as it is. */
  readonly wrap: ((expression: string) => string) | undefined
}

/** A line that is false where the line that it stands for is true. */
export interface FalseLine {
  readonly text: string
  /** If it is run, the test is red for certain. */
  readonly isCertain: boolean
}

/** Another value of the same length where it can be: product may know a file by its length. Undefined: no literal that we know. */
export function otherLiteral(literal: string, shift: Shift): string | undefined {
  const number = /^(-?(?:0|[1-9]\d{0,12}))(\.\d{1,6})?$/u.exec(literal)
  if (number !== null) {
    const [, whole = '', part = ''] = number
    return `${whole.slice(0, -1)}${(Number(whole.at(-1)) + shift()) % 10}${part}`
  }
  const quoted = /^(["'])([^"'\\\n]*)\1$/u.exec(literal)
  if (quoted === null) return undefined
  const [, quote = '', text = ''] = quoted
  const last = text.slice(-1)
  const other = /[a-z]/u.test(last)
    ? letterAfter('a', last, shift())
    : /[A-Z]/u.test(last)
      ? letterAfter('A', last, shift())
      : `${last}${shift()}`
  return `${quote}${text.slice(0, -1)}${other}${quote}`
}

function letterAfter(first: 'a' | 'A', letter: string, shift: number): string {
  const start = first.charCodeAt(0)
  return String.fromCharCode(start + ((letter.charCodeAt(0) - start + shift) % 26))
}

export function otherValue(expression: string, { shift, wrap }: Values): string | undefined {
  const trimmed = expression.trim()
  const other = trimmed === '' ? undefined : (otherLiteral(trimmed, shift) ?? wrap?.(trimmed))
  return other === undefined ? undefined : expression.replace(trimmed, () => other)
}

/**
 * Two values that are compared, one of them made another: the written-out one if there is one.
 * @param wanted which of them is compared with, if none is written out
 */
export function otherOfTwo(
  given: readonly string[],
  wanted: number,
  values: Values,
): readonly string[] | undefined {
  const isLiteral = (at: number): boolean =>
    otherLiteral((given[at] ?? '').trim(), values.shift) !== undefined
  const at = !isLiteral(wanted) && isLiteral(1 - wanted) ? 1 - wanted : wanted
  const other = otherValue(given[at] ?? '', values)
  return other === undefined ? undefined : given.with(at, other)
}

export interface Call {
  /** Up to the opening bracket, and with it. */
  readonly start: string
  readonly given: readonly string[]
  /** From the closing bracket on. */
  readonly end: string
}

/** The call with which a line ends. Undefined: it ends with none, or the brackets do not fit. */
export function callIn(line: string): Call | undefined {
  const end = /\)\s*;?$/u.exec(line)
  const text = end === null ? '' : line.slice(0, end.index + 1)
  const open = openingOf(text)
  if (end === null || open === undefined || text.charAt(open) !== '(') return undefined
  return { start: text.slice(0, open + 1), given: argumentsIn(text.slice(open + 1, -1)), end: end[0] }
}

export function callOf({ start, end }: Call, given: readonly string[]): string {
  return `${start}${given.join(',')}${end}`
}

/** What stands in brackets and in quotes is covered with dots; as long as the text. Undefined: the brackets do not fit. */
export function coverInner(text: string): string | undefined {
  const covered = Array.from({ length: text.length }, () => '.')
  let depth = 0
  let least = 0
  eachOutsideOfTexts(text, (character, index) => {
    if (')]}'.includes(character)) depth -= 1
    least = Math.min(least, depth)
    if (depth === 0) covered[index] = character
    if ('([{'.includes(character)) depth += 1
  })
  return least === 0 && depth === 0 ? covered.join('') : undefined
}

const quotes = new Set(['"', "'", '`'])

/** Where the bracket opens that the last character closes. Undefined: the brackets do not fit. */
function openingOf(text: string): number | undefined {
  const open: number[] = []
  const closed: (number | undefined)[] = []
  eachOutsideOfTexts(text, (character, index) => {
    if ('([{'.includes(character)) open.push(index)
    if (')]}'.includes(character)) closed.push(open.pop())
  })
  return open.length > 0 || closed.includes(undefined) ? undefined : closed.at(-1)
}

/** Parts between commas that stand in no brackets. */
export function argumentsIn(text: string): readonly string[] {
  const ends: number[] = []
  let depth = 0
  eachOutsideOfTexts(text, (character, index) => {
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    if (character === ',' && depth === 0) ends.push(index)
  })
  const starts = [0, ...ends.map((end) => end + 1)]
  return starts.map((start, index) => text.slice(start, ends[index] ?? text.length))
}

function eachOutsideOfTexts(text: string, visit: (character: string, index: number) => void): void {
  let quote: string | undefined
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (quote !== undefined) {
      if (character === '\\') index++
      else if (character === quote) quote = undefined
    } else if (quotes.has(character)) quote = character
    else visit(character, index)
  }
}
