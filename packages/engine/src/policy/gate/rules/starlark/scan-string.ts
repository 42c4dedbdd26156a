/** String literals: on one line, between three quotes, and raw. */
import type { Cursor } from './cursor.ts'
import { notUnderstood, SourceFault, type Position } from './source-fault.ts'

const opening = /(?:rb|fr|r|f|b)?(?:"""|'''|"|')/y
const plainText = /[^\\'"\n\r]+/y
const octalDigits = /[0-7]{1,3}/y

/** @returns undefined if no string begins here */
export function scanString(cursor: Cursor): string | undefined {
  const start = cursor.position
  const opened = cursor.takeMatch(opening)
  if (opened === null) return undefined
  const prefix = opened.replace(/['"]+$/, '')
  if (prefix.includes('b')) throw notUnderstood(start, 'a string of bytes', 'leave out the b')
  if (prefix.includes('f')) throw notUnderstood(start, 'an f-string', 'join its parts with +')
  return scanText(cursor, opened.slice(prefix.length), prefix === 'r', start)
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
