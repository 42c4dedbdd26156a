/** Text to tokens. */
import { Cursor } from './cursor.ts'
import { notUnderstood, SourceFault, type Position } from '../source-fault.ts'

export type Token = Position &
  (
    | { readonly kind: 'name' | 'symbol'; readonly text: string }
    | { readonly kind: 'literal'; readonly value: string | number }
    /** Texts with the source of what is put between them. */
    | { readonly kind: 'f-string'; readonly value: string }
    | { readonly kind: 'line-end' | 'file-end' | 'indent' | 'dedent' }
  )

const blanksInFront = /[ \t\r]*/y
const restOfBlankLine = /(?:#[^\n]*)?(?:\n|$)/y
const ignored = /(?: |#[^\n]*|\\\r?\n)+/y
const lineBreak = /\r?\n/y
const integer = /0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+/y
const withPoint = /[0-9]*\.[0-9]|[0-9]+(?:\.|[eE][-+]?[0-9])/y
const word = /[a-zA-Z_][a-zA-Z0-9_]*/y
const symbol = /->|\/\/=|\*\*|\/\/|[-+*/%|=!<>]=|[()[\]{},;:.=+*/%<>|-]/y
const anything = /[^]/uy

/** They are no names. Those that rule files have no use for are refused where they occur. */
export const keywords: ReadonlySet<string> = new Set(
  (
    'and break continue def elif else for if in lambda load not or pass return ' +
    'as assert async await class del except finally from global import is nonlocal raise try while with yield'
  ).split(' '),
)

/** Ends with `file-end`. @throws SourceFault */
export function scan(text: string): readonly Token[] {
  const cursor = new Cursor(text)
  const tokens: Token[] = []
  const indents = [0]
  let brackets = 0
  while (!cursor.isAtEnd) {
    if (brackets === 0 && isLineStart(tokens.at(-1))) {
      const width = takeIndent(cursor)
      if (width === undefined) continue
      tokens.push(...changesOfIndent(indents, width, cursor.position))
    }
    if (cursor.takeMatch(ignored) !== null) continue
    const position = cursor.position
    if (cursor.takeMatch(lineBreak) !== null) {
      if (brackets === 0) tokens.push({ ...position, kind: 'line-end' })
      continue
    }
    const token = scanLiteral(cursor) ?? scanName(cursor) ?? scanSymbol(cursor)
    tokens.push(token)
    if (token.kind === 'symbol') brackets = Math.max(0, brackets + changeOfBrackets(token.text))
  }
  if (!isLineStart(tokens.at(-1))) tokens.push({ ...cursor.position, kind: 'line-end' })
  tokens.push(...changesOfIndent(indents, 0, cursor.position), { ...cursor.position, kind: 'file-end' })
  return tokens
}

const isLineStart = (last: Token | undefined) => last === undefined || last.kind === 'line-end'

const changeOfBrackets = (text: string) => ('([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0)

/** Spaces before a line; a carriage return there counts for nothing. Undefined: the line is empty. */
function takeIndent(cursor: Cursor): number | undefined {
  const blanks = (cursor.takeMatch(blanksInFront) ?? '').replaceAll('\r', '')
  if (cursor.takeMatch(restOfBlankLine) !== null) return undefined
  if (blanks.includes('\t')) throw new SourceFault(cursor.position, 'tabs are not allowed')
  return blanks.length
}

function changesOfIndent(indents: number[], width: number, position: Position): readonly Token[] {
  const last = indents.at(-1) ?? 0
  if (width > last) {
    indents.push(width)
    return [{ ...position, kind: 'indent' }]
  }
  const left = indents.filter((indent) => indent > width).length
  indents.length -= left
  if (indents.at(-1) !== width) throw new SourceFault(position, 'a line begins where none above it begins')
  return Array.from({ length: left }, () => ({ ...position, kind: 'dedent' }))
}

function scanLiteral(cursor: Cursor): Token | undefined {
  const position = cursor.position
  const text = scanString(cursor)
  if (text !== undefined) return { ...position, ...text }
  if (cursor.takeMatch(withPoint) !== null)
    throw notUnderstood(position, 'a number with a point', 'write the value itself')
  const digits = cursor.takeMatch(integer)
  if (digits === null) return undefined
  if (/^0[0-9]/.test(digits)) throw new SourceFault(position, `a number must not begin with 0: ${digits}`)
  const value = Number(digits)
  if (!Number.isSafeInteger(value))
    throw notUnderstood(position, 'a number beyond 2^53', 'write the value itself')
  return { ...position, kind: 'literal', value }
}

function scanName(cursor: Cursor): Token | undefined {
  const position = cursor.position
  const text = cursor.takeMatch(word)
  return text === null ? undefined : { ...position, kind: 'name', text }
}

function scanSymbol(cursor: Cursor): Token {
  const position = cursor.position
  const text = cursor.takeMatch(symbol)
  if (text === null) {
    const stray = cursor.takeMatch(anything)
    const problem = stray === '\t' ? 'tabs are not allowed' : `${JSON.stringify(stray)} means nothing here`
    throw new SourceFault(position, problem)
  }
  return { ...position, kind: 'symbol', text }
}

const opening = /(?:rb|fr|rf|r|f|b)?(?:"""|'''|"|')/y
const plainText = /[^\\'"\n\r]+/y
const octalDigits = /[0-7]{1,3}/y

/** @returns undefined if no string begins here */
function scanString(
  cursor: Cursor,
): { readonly kind: 'literal' | 'f-string'; readonly value: string } | undefined {
  const start = cursor.position
  const opened = cursor.takeMatch(opening)
  if (opened === null) return undefined
  const prefix = opened.replace(/['"]+$/, '')
  if (prefix.includes('b')) throw notUnderstood(start, 'a string of bytes', 'leave out the b')
  const value = scanText(cursor, opened.slice(prefix.length), prefix.includes('r'), start)
  return { kind: prefix.includes('f') ? 'f-string' : 'literal', value }
}

/** Up to and with the closing quote. Carriage returns are no part of a string. */
function scanText(cursor: Cursor, quote: string, isRaw: boolean, start: Position): string {
  let value = ''
  while (!cursor.startsWith(quote)) {
    if (cursor.isAtEnd || (cursor.startsWith('\n') && quote.length === 1))
      throw new SourceFault(start, 'a string is not closed')
    if (cursor.startsWith('\r')) cursor.take(1)
    else if (cursor.startsWith('\\')) value += isRaw ? rawEscape(cursor, start) : escape(cursor)
    else value += cursor.takeMatch(plainText) ?? cursor.take(1)
  }
  cursor.take(quote.length)
  return value
}

/** Only a quote loses its backslash. */
function rawEscape(cursor: Cursor, start: Position): string {
  const pair = cursor.take(2)
  if (pair.length < 2 || pair.endsWith('\r')) throw new SourceFault(start, 'a string is not closed')
  return pair.endsWith('"') || pair.endsWith("'") ? pair.slice(1) : pair
}

const simpleEscapes = new Map(
  Object.entries({ n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b', f: '\f', v: '\v', '\n': '' }),
)

const hexadecimalDigits = new Map(Object.entries({ x: 2, u: 4, U: 8 }))

/** An unknown escape stays as it is. */
function escape(cursor: Cursor): string {
  const start = cursor.position
  cursor.take(1)
  const octal = cursor.takeMatch(octalDigits)
  if (octal !== null) return String.fromCodePoint(Number.parseInt(octal, 8))
  if (cursor.startsWith('\r\n')) cursor.take(1)
  const letter = cursor.take(1)
  if (letter === '\r') throw new SourceFault(start, 'a carriage return behind a backslash')
  if ('\\\'"'.includes(letter)) return letter
  const simple = simpleEscapes.get(letter)
  if (simple !== undefined) return simple
  const length = hexadecimalDigits.get(letter)
  if (length === undefined) return `\\${letter}`
  const digits = cursor.take(length)
  const code = /^[0-9a-fA-F]+$/.test(digits) && digits.length === length ? Number.parseInt(digits, 16) : -1
  if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    throw new SourceFault(start, `'\\${letter}${digits}' is no character`)
  return String.fromCodePoint(code)
}
