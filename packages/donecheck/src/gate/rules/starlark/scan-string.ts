/** String literals: one line, three quotes, raw, and with expressions in them. */
import type { Cursor } from './cursor.ts'
import { notUnderstood, SourceFault, type Position } from './source-fault.ts'
import type { TemplatePart, Token } from './token.ts'

const opening = /(?:rb|fr|r|f|b)?(?:"""|'''|"|')/y
const holeBody = /[^{}'"\\\n]*/y
const plainText = /[^\\'"{}\n\r]+/y
const octalDigits = /[0-7]{1,3}/y

interface Literal {
  readonly quote: string
  readonly isRaw: boolean
  readonly start: Position
}

/** Scans the tokens of an expression inside of a string. */
export type ScanExpression = (text: string, start: Position) => readonly Token[]

/** Undefined: no string begins here. */
export function scanString(cursor: Cursor, scanExpression: ScanExpression): Token | undefined {
  const start = cursor.position
  const opened = cursor.match(opening)
  if (opened === null) return undefined
  const prefix = opened.replace(/['"]+$/, '')
  if (prefix.includes('b')) throw notUnderstood(start, 'a string of bytes')
  cursor.take(opened.length)
  const literal = { quote: opened.slice(prefix.length), isRaw: prefix.includes('r'), start }
  if (!prefix.includes('f')) {
    const value = scanText(cursor, literal, false)
    cursor.take(literal.quote.length)
    return { ...start, kind: 'string', value }
  }
  const parts = scanTemplate(cursor, literal, scanExpression)
  cursor.take(literal.quote.length)
  return { ...start, kind: 'template', parts }
}

function scanTemplate(
  cursor: Cursor,
  literal: Literal,
  scanExpression: ScanExpression,
): readonly TemplatePart[] {
  const parts: TemplatePart[] = []
  for (;;) {
    parts.push({ kind: 'text', value: scanText(cursor, literal, true) })
    if (cursor.peek() !== '{') return parts
    cursor.take(1)
    parts.push(scanHole(cursor, literal, scanExpression))
  }
}

/** `{expression}`, `{expression!s}` or `{expression!r}`. Strings in it, and a format behind `:`, are more than is read. */
function scanHole(cursor: Cursor, literal: Literal, scanExpression: ScanExpression): TemplatePart {
  const start = cursor.position
  const body = cursor.match(holeBody) ?? ''
  cursor.take(body.length)
  if (cursor.peek() !== '}') throw notUnderstood(start, `'{${body}${cursor.peek()}' in an f-string`)
  cursor.take(1)
  const conversion = /!([rs])$/.exec(body)?.[1]
  const expression = conversion === undefined ? body : body.slice(0, -2)
  const tokens = scanExpression(expression, start)
  if (tokens.length <= 1) throw new SourceFault(start, 'an f-string has empty braces')
  return { kind: 'expression', tokens, asWritten: conversion === 'r' }
}

/** Up to the closing quote; in a template also up to a single opening brace. Carriage returns are no part of a string. */
function scanText(cursor: Cursor, literal: Literal, isTemplate: boolean): string {
  let value = ''
  while (!cursor.startsWith(literal.quote)) {
    const char = cursor.peek()
    if (cursor.isAtEnd || (char === '\n' && literal.quote.length === 1))
      throw new SourceFault(literal.start, 'a string is not closed')
    if (isTemplate && (char === '{' || char === '}')) {
      if (cursor.peek(1) === char) value += cursor.take(2).charAt(0)
      else if (char === '{') return value
      else throw new SourceFault(cursor.position, "a single '}' in an f-string")
    } else if (char === '\r') cursor.take(1)
    else if (char === '\\') value += literal.isRaw ? rawEscape(cursor, literal) : escape(cursor)
    else value += cursor.take((cursor.match(plainText) ?? ' ').length)
  }
  return value
}

/** Only a quote loses its backslash. */
function rawEscape(cursor: Cursor, literal: Literal): string {
  const pair = cursor.take(2)
  if (pair.length < 2 || pair.endsWith('\r')) throw new SourceFault(literal.start, 'a string is not closed')
  return pair.charAt(1) === '"' || pair.charAt(1) === "'" ? pair.charAt(1) : pair
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b', f: '\f', v: '\v', '\\': '\\', "'": "'", '"': '"', '\n': '',
} // prettier-ignore

const hexadecimalDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** An unknown escape stays as it is. */
function escape(cursor: Cursor): string {
  const start = cursor.position
  cursor.take(1)
  const octal = cursor.match(octalDigits)
  if (octal !== null) return String.fromCodePoint(Number.parseInt(cursor.take(octal.length), 8))
  if (cursor.startsWith('\r\n')) cursor.take(1)
  const letter = cursor.take(1)
  if (letter === '\r') throw new SourceFault(start, 'a carriage return behind a backslash')
  const simple = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined
  if (simple !== undefined) return simple
  const length = Object.hasOwn(hexadecimalDigits, letter) ? hexadecimalDigits[letter] : undefined
  if (length === undefined) return `\\${letter}`
  const digits = cursor.take(length)
  const code = /^[0-9a-fA-F]+$/.test(digits) && digits.length === length ? Number.parseInt(digits, 16) : -1
  if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    throw new SourceFault(start, `'\\${letter}${digits}' is no character`)
  return String.fromCodePoint(code)
}
