/** Tokens one after the other, with the fault of one that does not fit. */
import { keywords, scan, SourceFault, type Token } from './tokens.ts'

/** Deeper nesting is not read: the reader must not run out of stack. */
const maxDepth = 60

export class TokenReader {
  protected at = 0
  readonly #tokens: readonly Token[]
  #depth = 0

  /** @throws {SourceFault} */
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
      throw new SourceFault(this.next, `more than ${maxDepth} levels in one another is not understood here`)
    this.#depth += 1
    const result = read()
    this.#depth -= 1
    return result
  }

  protected unexpected(wanted: string): SourceFault {
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
    return new SourceFault(next, `${shown} where ${wanted} is expected`)
  }
}
