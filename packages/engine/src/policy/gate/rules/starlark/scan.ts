/** Text to tokens: the few of the language that a rule file needs. Everything else is refused here, with its place. */
import { Cursor } from './cursor.ts'
import { scanString } from './scan-string.ts'
import { notUnderstood, SourceFault, type Position } from './source-fault.ts'

export type Token = Position &
  (
    | { readonly kind: 'name' | 'symbol'; readonly text: string }
    | { readonly kind: 'literal'; readonly value: string | number }
    | { readonly kind: 'line-end' | 'file-end' }
  )

const blanksInFront = /[ \t\r]*/y
const restOfBlankLine = /(?:#[^\n]*)?(?:\n|$)/y
const ignored = /(?: |#[^\n]*|\\\r?\n)+/y
const lineBreak = /\r?\n/y
const integer = /0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+/y
const withPoint = /[0-9]*\.[0-9]|[0-9]+(?:\.|[eE][-+]?[0-9])/y
const word = /[a-zA-Z_][a-zA-Z0-9_]*/y
const symbol = /[()[\]{},;]|[-+*/%=<>.:|&^~!]+/y
const anything = /[^]/uy

const writeCalls = 'write out each rule as a call of its own, with values that are written out'
const writeValue = 'write the value itself'

/** What each word of the language is replaced by; no name may be one of them. */
const refusedWords: ReadonlyMap<string, string> = new Map([
  ...listed('break continue def elif else for if in lambda pass return while', writeCalls),
  ...listed('load from import', 'copy what is needed into this file'),
  ...listed('and as assert async await class del except finally global is nonlocal', writeValue),
  ...listed('not or raise try with yield', writeValue),
])

const knownSymbols = new Set('()[],=+;')

function listed(words: string, instead: string): readonly (readonly [string, string])[] {
  return words.split(' ').map((name) => [name, instead] as const)
}

/** Ends with `file-end`. @throws SourceFault */
export function scan(text: string): readonly Token[] {
  const cursor = new Cursor(text)
  const tokens: Token[] = []
  let brackets = 0
  while (!cursor.isAtEnd) {
    if (brackets === 0 && isLineStart(tokens.at(-1)) && skipsBlankLine(cursor)) continue
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
  tokens.push({ ...cursor.position, kind: 'file-end' })
  return tokens
}

const isLineStart = (last: Token | undefined) => last === undefined || last.kind === 'line-end'

const changeOfBrackets = (text: string) => ('(['.includes(text) ? 1 : ')]'.includes(text) ? -1 : 0)

/** Every other line must begin at its start; a carriage return in front of it counts for nothing. */
function skipsBlankLine(cursor: Cursor): boolean {
  const blanks = cursor.takeMatch(blanksInFront) ?? ''
  if (cursor.takeMatch(restOfBlankLine) !== null) return true
  if (blanks.replaceAll('\r', '') !== '')
    throw new SourceFault(cursor.position, 'a line begins with blanks: begin it at its start')
  return false
}

function scanLiteral(cursor: Cursor): Token | undefined {
  const position = cursor.position
  const text = scanString(cursor)
  if (text !== undefined) return { ...position, kind: 'literal', value: text }
  if (cursor.takeMatch(withPoint) !== null) throw notUnderstood(position, 'a number with a point', writeValue)
  const digits = cursor.takeMatch(integer)
  if (digits === null) return undefined
  if (/^0[0-9]/.test(digits)) throw new SourceFault(position, `a number must not begin with 0: ${digits}`)
  const value = Number(digits)
  if (!Number.isSafeInteger(value)) throw notUnderstood(position, 'a number beyond 2^53', writeValue)
  return { ...position, kind: 'literal', value }
}

function scanName(cursor: Cursor): Token | undefined {
  const position = cursor.position
  const text = cursor.takeMatch(word)
  if (text === null) return undefined
  const instead = refusedWords.get(text)
  if (instead !== undefined) throw notUnderstood(position, `'${text}'`, instead)
  return { ...position, kind: 'name', text }
}

function scanSymbol(cursor: Cursor): Token {
  const position = cursor.position
  const text = cursor.takeMatch(symbol)
  if (text === null) {
    const stray = cursor.takeMatch(anything)
    const problem = stray === '\t' ? 'tabs are not allowed' : `${JSON.stringify(stray)} means nothing here`
    throw new SourceFault(position, problem)
  }
  if (text === '{') throw notUnderstood(position, 'a dict', 'no rule takes one')
  if (!knownSymbols.has(text)) throw notUnderstood(position, `'${text}'`, writeValue)
  return { ...position, kind: 'symbol', text }
}
