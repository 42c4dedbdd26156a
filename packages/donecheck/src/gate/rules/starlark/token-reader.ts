/** Tokens one after the other, with the complaints that every rule of the grammar needs. */
import { SourceFault, type Position } from './source-fault.ts'
import { shown, type Token } from './token.ts'

/** Deeper expressions and blocks are not read: what walks the tree must not run out of stack. */
const maxDepth = 60
/** Longer chains of operators, calls and indexes are not read, for the same reason. */
const maxChain = 200

export class TokenReader {
  private readonly tokens: readonly Token[]
  private readonly last: Token
  private at = 0
  private depth = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
    this.last = tokens.at(-1) ?? { kind: 'file-end', line: 1, column: 1 }
  }

  get next(): Token {
    return this.tokens[this.at] ?? this.last
  }

  /** The place of the next token. */
  get position(): Position {
    return { line: this.next.line, column: this.next.column }
  }

  advance(): Token {
    const token = this.next
    this.at += 1
    return token
  }

  /** Whether the next token is this symbol or keyword. */
  isAt(...texts: readonly string[]): boolean {
    const { next } = this
    return (next.kind === 'symbol' || next.kind === 'keyword') && texts.includes(next.text)
  }

  /** Whether the one behind the next token is this symbol or keyword. */
  isFollowedBy(text: string): boolean {
    const token = this.tokens[this.at + 1]
    return (token?.kind === 'symbol' || token?.kind === 'keyword') && token.text === text
  }

  /** Takes the next token if it is this one. */
  skip(text: string): boolean {
    const isThere = this.isAt(text)
    if (isThere) this.at += 1
    return isThere
  }

  expect(text: string): void {
    if (!this.skip(text)) throw this.unexpected(`'${text}'`)
  }

  expectName(): string {
    const { next } = this
    if (next.kind !== 'name') throw this.unexpected('a name')
    this.at += 1
    return next.text
  }

  skipKind(kind: Token['kind']): boolean {
    const isThere = this.next.kind === kind
    if (isThere) this.at += 1
    return isThere
  }

  unexpected(wanted: string): SourceFault {
    return new SourceFault(this.position, `${shown(this.next)} where ${wanted} is expected`)
  }

  /** @throws SourceFault where it is nested too deeply */
  nested<Result>(read: () => Result): Result {
    if (this.depth >= maxDepth)
      throw new SourceFault(this.position, `more than ${maxDepth} levels of nesting`)
    this.depth += 1
    try {
      return read()
    } finally {
      this.depth -= 1
    }
  }

  /** Counts one more link of a chain. @throws SourceFault where it is too long */
  link(count: number): number {
    if (count >= maxChain) throw new SourceFault(this.position, `more than ${maxChain} operators in a row`)
    return count + 1
  }
}
