/** Text to tokens: lines, indentation, names, numbers, strings and symbols. */
import { Cursor } from './cursor.ts'
import { scanString } from './scan-string.ts'
import { notUnderstood, SourceFault, type Position } from './source-fault.ts'
import { keywords, reservedWords, symbol, type Token } from './token.ts'

const blanksInFront = /[ \t\r]*/y
const lineBreak = /\r?\n/y
const wholeLine = /[^\n]*\n?/y
const ignored = /(?: |#[^\n]*|\\\r?\n)+/y
const whole = /(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+)/y
const point = /\.[0-9]/y
const fraction = /[0-9]+(?:\.|[eE][-+]?[0-9])/y
const word = /[a-zA-Z_][a-zA-Z0-9_]*/y

interface Scan {
  readonly cursor: Cursor
  readonly tokens: Token[]
  /** The columns of the open blocks; the first is 0. */
  readonly indents: number[]
  brackets: number
}

/** Ends with `file-end`. @throws SourceFault */
export function scan(text: string): readonly Token[] {
  const scan: Scan = {
    cursor: new Cursor(text),
    tokens: [],
    indents: [0],
    brackets: 0,
  }
  const { cursor, tokens } = scan
  while (!cursor.isAtEnd) {
    if (scan.brackets === 0 && isLineStart(tokens) && skipsLine(scan)) continue
    scanNext(scan)
  }
  if (tokens.length > 0 && tokens.at(-1)?.kind !== 'line-end')
    tokens.push({ ...cursor.position, kind: 'line-end' })
  changeIndent(scan, 0)
  tokens.push({ ...cursor.position, kind: 'file-end' })
  return tokens
}

/** The tokens of an expression in an f-string, ended by `file-end`. */
function scanExpression(text: string, start: Position): readonly Token[] {
  const scan: Scan = { cursor: new Cursor(text, start), tokens: [], indents: [0], brackets: 1 }
  while (!scan.cursor.isAtEnd) scanNext(scan)
  return [...scan.tokens, { ...scan.cursor.position, kind: 'file-end' }]
}

function isLineStart(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)
  return last === undefined || last.kind === 'line-end'
}

/**
 * A blank line, or one with only a comment, has no tokens. Every other one says how far it is indented; a carriage return in
 * front of it counts for nothing.
 */
function skipsLine(scan: Scan): boolean {
  const { cursor } = scan
  const blanks = cursor.match(blanksInFront) ?? ''
  const rest = cursor.peek(blanks.length)
  if (rest === '#' || rest === '\n' || rest === '') {
    cursor.take((cursor.match(wholeLine) ?? '').length)
    return true
  }
  if (blanks.includes('\t')) throw new SourceFault(cursor.position, 'tabs are not allowed')
  cursor.take(blanks.length)
  changeIndent(scan, blanks.replaceAll('\r', '').length)
  return false
}

function changeIndent({ cursor, tokens, indents }: Scan, column: number): void {
  const current = indents.at(-1) ?? 0
  if (column > current) {
    indents.push(column)
    tokens.push({ ...cursor.position, kind: 'indent' })
  }
  while (column < (indents.at(-1) ?? 0)) {
    indents.pop()
    tokens.push({ ...cursor.position, kind: 'dedent' })
  }
  if (column !== indents.at(-1)) throw new SourceFault(cursor.position, 'the indentation fits no line above')
}

function scanNext(scan: Scan): void {
  const { cursor, tokens } = scan
  const blanks = cursor.match(ignored)
  if (blanks !== null) {
    cursor.take(blanks.length)
    return
  }
  const position = cursor.position
  const broken = cursor.match(lineBreak)
  if (broken !== null) {
    cursor.take(broken.length)
    if (scan.brackets === 0) tokens.push({ ...position, kind: 'line-end' })
    return
  }
  const token =
    scanString(cursor, scanExpression) ?? scanNumber(cursor) ?? scanName(cursor) ?? scanSymbol(scan)
  if (token === undefined) throw new SourceFault(position, strayOf(cursor))
  tokens.push(token)
}

function strayOf(cursor: Cursor): string {
  if (cursor.peek() === '\t') return 'tabs are not allowed'
  const char = String.fromCodePoint(cursor.text.codePointAt(cursor.at) ?? 0)
  return `${JSON.stringify(char)} means nothing here`
}

function scanNumber(cursor: Cursor): Token | undefined {
  const position = cursor.position
  const text = cursor.match(whole)
  if (text === null) {
    if (cursor.match(point) !== null) throw notUnderstood(position, 'a number with a point')
    return undefined
  }
  if (cursor.match(fraction) !== null) throw notUnderstood(position, 'a number with a point')
  cursor.take(text.length)
  if (/^0[0-9]/.test(text)) throw new SourceFault(position, `a number must not begin with 0: ${text}`)
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw notUnderstood(position, 'a number beyond 2^53')
  return { ...position, kind: 'integer', value }
}

function scanName(cursor: Cursor): Token | undefined {
  const position = cursor.position
  const text = cursor.match(word)
  if (text === null) return undefined
  cursor.take(text.length)
  if (reservedWords.has(text))
    throw new SourceFault(position, `'${text}' is reserved and has no meaning in rules`)
  return { ...position, kind: keywords.has(text) ? 'keyword' : 'name', text }
}

function scanSymbol(scan: Scan): Token | undefined {
  const { cursor } = scan
  const position = cursor.position
  const text = cursor.match(symbol)
  if (text === null) return undefined
  cursor.take(text.length)
  if ('([{'.includes(text)) scan.brackets += 1
  if (')]}'.includes(text)) scan.brackets = Math.max(0, scan.brackets - 1)
  return { ...position, kind: 'symbol', text }
}
