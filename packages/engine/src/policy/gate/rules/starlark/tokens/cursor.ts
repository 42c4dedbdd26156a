/** A place in a text that is read from its start to its end. */
import type { Position } from '../source-fault.ts'

export class Cursor {
  private readonly text: string
  private at = 0
  private line = 1
  private lineStart = 0

  constructor(text: string) {
    this.text = text
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

  /** Takes what a sticky expression finds here. @returns null if that is nothing */
  takeMatch(expression: RegExp): string | null {
    expression.lastIndex = this.at
    const found = expression.exec(this.text)?.[0]
    return found === undefined ? null : this.take(found.length)
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
