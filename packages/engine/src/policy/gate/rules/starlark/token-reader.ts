/** Tokens one after the other, with the complaint about one that does not fit. */
import { scan, type Token } from './scan.ts'
import { SourceFault } from './source-fault.ts'

export class TokenReader {
  private readonly tokens: readonly Token[]
  private at = 0

  /** @throws SourceFault */
  constructor(text: string) {
    this.tokens = scan(text)
  }

  get next(): Token {
    return this.tokens[this.at] ?? { kind: 'file-end', line: 1, column: 1 }
  }

  take(): Token {
    const { next } = this
    this.at += 1
    return next
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
    const { next } = this
    if (next.kind !== 'name' || !this.isAt(symbol, 1)) return undefined
    this.at += 2
    return next.text
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
  return token.kind === 'line-end' ? 'the end of the line' : 'the end of the file'
}
