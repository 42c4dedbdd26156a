import { type Position, RuleFault } from '../rule.ts'

type Token = Position &
  (
    | { readonly kind: 'name' | 'symbol'; readonly text: string }
    | { readonly kind: 'literal'; readonly value: string | number }
    /** Contains the source of interpolations. */
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
    String.raw`(?<number>\.?\d[\w.]*)`,
    String.raw`(?<name>[A-Za-z_]\w*)`,
    String.raw`(?<symbol>->|//=|\*\*|//|[-+*/%|=!<>]=|[()[\]{},;:.=+*/%<>|-])`,
  ].join('|'),
  'y',
)

/** @returns tokens that end with `file-end` @throws {RuleFault} */
function scan(text: string): readonly Token[] {
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
      if (blanks.includes('\t')) throw new RuleFault('tabs are not allowed', here())
      tokens.push(...indentTokens(indents, blanks.replaceAll('\r', '').length, here()))
    }
    const position = here()
    piece.lastIndex = at
    const match = piece.exec(text)
    const { ignored, line: lineEnd, opening, number, name, symbol } = match?.groups ?? {}
    if (opening !== undefined) {
      const read = readString(text, at, opening, position)
      tokens.push({ ...position, ...read.token })
      advance(read.length)
      continue
    }
    if (match === null) throw strayFault(text, at, position)
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

function strayFault(text: string, at: number, position: Position): RuleFault {
  const letter = String.fromCodePoint(text.codePointAt(at) ?? 0)
  const problem = letter === '\t' ? 'tabs are not allowed' : `${JSON.stringify(letter)} means nothing here`
  return new RuleFault(problem, position)
}

function indentTokens(indents: number[], width: number, position: Position): readonly Token[] {
  if (width > (indents.at(-1) ?? 0)) {
    indents.push(width)
    return [{ ...position, kind: 'indent' }]
  }
  const closed = indents.filter((indent) => indent > width).length
  indents.length -= closed
  if (indents.at(-1) !== width) throw new RuleFault('a line begins where none above it begins', position)
  return Array.from({ length: closed }, () => ({ ...position, kind: 'dedent' }))
}

function readNumber(digits: string, position: Position): number {
  const value = Number(digits)
  if (/^(?:0|[1-9]\d*)$/.test(digits) && Number.isSafeInteger(value)) return value
  throw new RuleFault(`the number ${digits} is not understood here`, position)
}

function readString(text: string, at: number, opening: string, position: Position) {
  const prefix = opening.replace(/['"]+$/, '')
  const quote = opening.slice(prefix.length)
  if (prefix.includes('b'))
    throw new RuleFault('a string of bytes is not understood here: leave out the b', position)
  const inside = quote.length === 3 ? '[^\\\\]' : `[^\\\\\\n${quote}]`
  const body = new RegExp(`((?:${inside}|\\\\\\r?[^])*?)${quote}`, 'y')
  body.lastIndex = at + opening.length
  const [whole, written = ''] = body.exec(text) ?? []
  if (whole === undefined) throw new RuleFault('a string is not closed', position)
  if ((prefix.includes('r') ? /\\\r/ : /\\\r(?!\n)/).test(written))
    throw new RuleFault('a backslash before a carriage return', position)
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

/** Unknown escapes stay unchanged. */
function unescaped(text: string, position: Position): string {
  return text.replaceAll(
    /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g,
    (whole: string, octal?: string, byte?: string, unit?: string, point?: string, letter?: string) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
      if (letter !== undefined && !'xuU'.includes(letter)) return letters[letter] ?? whole
      const code = Number.parseInt(byte ?? unit ?? point ?? '', 16)
      if (Number.isNaN(code) || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        throw new RuleFault(`'${whole}' is no character`, position)
      return String.fromCodePoint(code)
    },
  )
}

/** Prevents a stack overflow. */
const maxDepth = 60

export class TokenReader {
  protected at = 0
  readonly #tokens: readonly Token[]
  #depth = 0

  constructor(text: string) {
    this.#tokens = scan(text)
  }

  protected get next(): Token {
    return this.#tokens[this.at] ?? { kind: 'file-end', line: 1, column: 1 }
  }

  protected isAt(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.at + ahead]
    return token !== undefined && 'text' in token && token.text === text
  }

  protected skip(text: string): boolean {
    const isThere = this.isAt(text)
    if (isThere) this.at += 1
    return isThere
  }

  protected skipIndent(): boolean {
    const isThere = this.next.kind === 'indent'
    if (isThere) this.at += 1
    return isThere
  }

  protected expect(text: string): void {
    if (!this.skip(text)) throw this.unexpected(`'${text}'`)
  }

  protected takeName(): string {
    const next = this.next
    if (next.kind !== 'name' || keywords.has(next.text)) throw this.unexpected('a name')
    this.at += 1
    return next.text
  }

  protected nested<Read>(read: () => Read): Read {
    if (this.#depth === maxDepth)
      throw new RuleFault(`more than ${maxDepth} levels in one another is not understood here`, this.next)
    this.#depth += 1
    const result = read()
    this.#depth -= 1
    return result
  }

  protected unexpected(wanted: string): RuleFault {
    const next = this.next
    const names = {
      'f-string': 'an f-string',
      'line-end': 'the end of the line',
      'file-end': 'the end of the file',
      indent: 'another indentation',
      dedent: 'another indentation',
      literal: 'a literal',
    }
    const shown = next.kind === 'name' || next.kind === 'symbol' ? `'${next.text}'` : names[next.kind]
    return new RuleFault(`${shown} where ${wanted} is expected`, next)
  }
}
