/** Tokens one after the other, with the complaint about one that does not fit. */
import { keywords, scan, type Token } from './scan.ts'
import { notUnderstood, SourceFault, type Position } from '../source-fault.ts'

export class TokenReader {
  private readonly tokens: readonly Token[]
  private at = 0

  /** @param place of all tokens, where the text is part of another one. @throws SourceFault */
  constructor(text: string, place?: Position) {
    const tokens = scan(text)
    this.tokens =
      place === undefined
        ? tokens
        : tokens.map((token) => ({ ...token, line: place.line, column: place.column }))
  }

  mark(): number {
    return this.at
  }

  reset(mark: number): void {
    this.at = mark
  }

  get next(): Token {
    return this.tokens[this.at] ?? { kind: 'file-end', line: 1, column: 1 }
  }

  take(): Token {
    const { next } = this
    this.at += 1
    return next
  }

  skipKind(kind: Token['kind']): boolean {
    const isThere = this.next.kind === kind
    if (isThere) this.at += 1
    return isThere
  }

  isAt(symbol: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead]
    return token?.kind === 'symbol' && token.text === symbol
  }

  /** Takes the next token if it is this symbol. */
  skip(symbol: string): boolean {
    const isThere = this.isAt(symbol)
    if (isThere) this.at += 1
    return isThere
  }

  /** Takes a name that this symbol follows, and the symbol. */
  skipName(symbol: string): string | undefined {
    if (this.next.kind !== 'name' || !this.isAt(symbol, 1)) return undefined
    const name = this.takeName()
    this.at += 1
    return name
  }

  takeName(): string {
    const { next } = this
    if (next.kind !== 'name') throw this.unexpected('a name')
    if (keywords.has(next.text)) throw notUnderstood(next, `'${next.text}'`, 'take another name')
    this.at += 1
    return next.text
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead]
    return token?.kind === 'name' && token.text === word
  }

  skipWord(word: string): boolean {
    const isThere = this.isWord(word)
    if (isThere) this.at += 1
    return isThere
  }

  expectWord(word: string): void {
    if (!this.skipWord(word)) throw this.unexpected(`'${word}'`)
  }

  expect(symbol: string): void {
    if (!this.skip(symbol)) throw this.unexpected(`'${symbol}'`)
  }

  unexpected(wanted: string): SourceFault {
    return new SourceFault(this.next, `${shown(this.next)} where ${wanted} is expected`)
  }
}

function shown(token: Token): string {
  if (token.kind === 'literal') return typeof token.value === 'string' ? 'a string' : `'${token.value}'`
  if ('text' in token) return `'${token.text}'`
  const kinds = {
    'f-string': 'an f-string',
    'line-end': 'the end of the line',
    'file-end': 'the end of the file',
  }
  return token.kind === 'indent' || token.kind === 'dedent' ? 'another indentation' : kinds[token.kind]
}
