/** Turns the text of a rule file into tokens. */

/** Both from 1; the column in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** What is wrong with a rule file, and where. Leaves `rules/` only as a value. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
  readonly position: Position

  constructor(position: Position, problem: string) {
    super(problem)
    this.position = position
  }
}

export type Token = Position &
  (
    | { readonly kind: 'name' | 'symbol'; readonly text: string }
    | { readonly kind: 'literal'; readonly value: string | number }
    /** With the source of what is put in between. */
    | { readonly kind: 'f-string'; readonly value: string }
    | { readonly kind: 'line-end' | 'file-end' | 'indent' | 'dedent' }
  )

export const keywords: ReadonlySet<string> = new Set(
  (
    'and break continue def elif else for if in lambda load not or pass return ' +
    'as assert async await class del except finally from global import is nonlocal raise try while with yield'
  ).split(' '),
)

const piece = new RegExp(
  [
    String.raw`(?<ignored>(?: |#[^\n]*|\\\r?\n)+)`,
    String.raw`(?<line>\r?\n)`,
    String.raw`(?<opening>(?:rb|fr|rf|r|f|b)?(?:"""|'''|"|'))`,
    String.raw`(?<point>\d*\.\d|\d+(?:\.|[eE][-+]?\d))`,
    String.raw`(?<number>0[xXoObB][\da-fA-F]+|\d+)`,
    String.raw`(?<name>[A-Za-z_]\w*)`,
    String.raw`(?<symbol>->|//=|\*\*|//|[-+*/%|=!<>]=|[()[\]{},;:.=+*/%<>|-])`,
  ].join('|'),
  'y',
)

/** @returns tokens that end with `file-end` @throws {SourceFault} */
export function scan(text: string): readonly Token[] {
  const tokens: Token[] = []
  const indents = [0]
  let [at, line, lineStart, brackets] = [0, 1, 0, 0]
  const here = (): Position => ({ line, column: at - lineStart + 1 })
  const advance = (length: number) => {
    for (
      let index = text.indexOf('\n', at);
      index >= 0 && index < at + length;
      index = text.indexOf('\n', index + 1)
    ) {
      line += 1
      lineStart = index + 1
    }
    at += length
  }
  while (at < text.length) {
    const last = tokens.at(-1)?.kind ?? 'line-end'
    if (brackets === 0 && (last === 'line-end' || last === 'dedent') && at === lineStart) {
      const [blanks = ''] = /^[ \t\r]*/.exec(text.slice(at)) ?? []
      advance(blanks.length)
      const [empty] = /^(?:#[^\n]*)?(?:\n|$)/.exec(text.slice(at)) ?? []
      if (empty !== undefined) {
        advance(empty.length)
        if (empty === '') break
        continue
      }
      if (blanks.includes('\t')) throw new SourceFault(here(), 'tabs are not allowed')
      tokens.push(...indentTokens(indents, blanks.replaceAll('\r', '').length, here()))
    }
    const position = here()
    piece.lastIndex = at
    const match = piece.exec(text)
    const { ignored, line: lineEnd, opening, point, number, name, symbol } = match?.groups ?? {}
    if (opening !== undefined) {
      const read = readString(text, at, opening, position)
      tokens.push({ ...position, ...read.token })
      advance(read.length)
      continue
    }
    if (match === null || point !== undefined) throw strayFault(text, at, position, point)
    advance(match[0].length)
    if (ignored !== undefined) continue
    if (lineEnd !== undefined) {
      if (brackets === 0) tokens.push({ ...position, kind: 'line-end' })
    } else if (number !== undefined)
      tokens.push({ ...position, kind: 'literal', value: readNumber(number, position) })
    else if (name !== undefined) tokens.push({ ...position, kind: 'name', text: name })
    else if (symbol !== undefined) {
      brackets = Math.max(0, brackets + ('([{'.includes(symbol) ? 1 : ')]}'.includes(symbol) ? -1 : 0))
      tokens.push({ ...position, kind: 'symbol', text: symbol })
    }
  }
  const last = tokens.at(-1)?.kind ?? 'line-end'
  if (last !== 'line-end' && last !== 'dedent') tokens.push({ ...here(), kind: 'line-end' })
  return [...tokens, ...indentTokens(indents, 0, here()), { ...here(), kind: 'file-end' }]
}

function strayFault(text: string, at: number, position: Position, point: string | undefined): SourceFault {
  const letter = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (point !== undefined) return new SourceFault(position, 'a number with a point is not understood here')
  return new SourceFault(
    position,
    letter === '\t' ? 'tabs are not allowed' : `${JSON.stringify(letter)} means nothing here`,
  )
}

function indentTokens(indents: number[], width: number, position: Position): readonly Token[] {
  if (width > (indents.at(-1) ?? 0)) {
    indents.push(width)
    return [{ ...position, kind: 'indent' }]
  }
  const closed = indents.filter((indent) => indent > width).length
  indents.length -= closed
  if (indents.at(-1) !== width) throw new SourceFault(position, 'a line begins where none above it begins')
  return Array.from({ length: closed }, () => ({ ...position, kind: 'dedent' }))
}

function readNumber(digits: string, position: Position): number {
  if (/^0\d/.test(digits)) throw new SourceFault(position, `a number must not begin with 0: ${digits}`)
  const value = Number(digits)
  if (!Number.isSafeInteger(value))
    throw new SourceFault(position, `the number ${digits} is not understood here`)
  return value
}

function readString(text: string, at: number, opening: string, position: Position) {
  const prefix = opening.replace(/['"]+$/, '')
  const quote = opening.slice(prefix.length)
  if (prefix.includes('b'))
    throw new SourceFault(position, 'a string of bytes is not understood here: leave out the b')
  const inside = quote.length === 3 ? '[^\\\\]' : `[^\\\\\\n${quote}]`
  const body = new RegExp(`((?:${inside}|\\\\\\r?[^])*?)${quote}`, 'y')
  body.lastIndex = at + opening.length
  const [whole, written = ''] = body.exec(text) ?? []
  if (whole === undefined) throw new SourceFault(position, 'a string is not closed')
  if ((prefix.includes('r') ? /\\\r/ : /\\\r(?!\n)/).test(written))
    throw new SourceFault(position, 'a backslash before a carriage return')
  const value = prefix.includes('r')
    ? written.replaceAll('\r', '').replaceAll(/\\(["'])/g, '$1')
    : unescaped(written.replaceAll('\r', ''), position)
  const token = { kind: prefix.includes('f') ? 'f-string' : 'literal', value } as const
  return { token, length: opening.length + whole.length }
}

const letters: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b', f: '\f', v: '\v' },
  ...{ '\n': '', '\\': '\\', "'": "'", '"': '"' },
}

/** An unknown escape stays as it is. */
function unescaped(text: string, position: Position): string {
  return text.replaceAll(
    /\\(?:([0-7]{1,3})|(?:x(.{0,2})|u(.{0,4})|U(.{0,8}))|([^]))/gs,
    (whole: string, octal?: string, byte?: string, unit?: string, point?: string, letter?: string) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
      if (letter !== undefined) return letters[letter] ?? whole
      const digits = byte ?? unit ?? point ?? ''
      const code =
        /^[\da-fA-F]+$/.test(digits) && /^(?:..|.{4}|.{8})$/.test(digits) ? Number.parseInt(digits, 16) : -1
      const isSized = digits.length === (byte === undefined ? (unit === undefined ? 8 : 4) : 2)
      if (!isSized || code < 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        throw new SourceFault(position, `'${whole}' is no character`)
      return String.fromCodePoint(code)
    },
  )
}
