/** A place in a text that is read from its start to its end. */
import type { Position } from './source-fault.ts'

export class Cursor {
  readonly text: string
  at = 0
  line: number
  private lineStart: number

  constructor(text: string, start: Position = { line: 1, column: 1 }) {
    this.text = text
    this.line = start.line
    this.lineStart = 1 - start.column
  }

  get position(): Position {
    return { line: this.line, column: this.at - this.lineStart + 1 }
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at)
  }

  peek(ahead = 0): string {
    return this.text.charAt(this.at + ahead)
  }

  /** What a sticky expression finds here; null: nothing. */
  match(expression: RegExp): string | null {
    expression.lastIndex = this.at
    return expression.exec(this.text)?.[0] ?? null
  }

  take(length: number): string {
    const taken = this.text.slice(this.at, this.at + length)
    for (let index = taken.indexOf('\n'); index !== -1; index = taken.indexOf('\n', index + 1)) {
      this.line += 1
      this.lineStart = this.at + index + 1
    }
    this.at += taken.length
    return taken
  }
}
