/** The transcript as a component: each piece is laid out once, and what has scrolled away for good is let go. */
import type { Component } from '@earendil-works/pi-tui'
import type { Theme } from '../host.ts'
import { blockLines } from '../screen/block-lines.ts'
import { isSettled, type Block, type Screen } from '../screen/screen.ts'

interface LaidOut {
  readonly block: Block
  readonly before: Block | undefined
  readonly width: number
  readonly lines: readonly string[]
}

export class Transcript implements Component {
  readonly #theme: Theme
  #blocks: readonly Block[] = []
  #laidOut: readonly LaidOut[] = []
  /** What stood above the first block before it was let go. */
  #above: Block | undefined
  #nowMs = 0

  constructor(theme: Theme) {
    this.#theme = theme
  }

  show({ blocks, nowMs }: Screen): void {
    this.#blocks = blocks
    this.#nowMs = nowMs
  }

  render(width: number): string[] {
    const known = new Map(this.#laidOut.map((one) => [one.block, one]))
    this.#laidOut = this.#blocks.map((block, index) => {
      const before = index === 0 ? this.#above : this.#blocks[index - 1]
      const earlier = known.get(block)
      if (earlier?.width === width && earlier.before === before && isSettled(block)) return earlier
      const lines = blockLines(block, before, width, this.#nowMs).map(this.#theme.paint)
      return { block, before, width, lines }
    })
    return this.#laidOut.flatMap(({ lines }) => lines)
  }

  /** Nothing is cached beyond what `render` looks at itself. */
  invalidate(): void {
    this.#laidOut = []
  }

  /**
   * Lets go of whole settled blocks at the top that have at most so many lines together.
   * @returns how many blocks and lines
   */
  dropTop(maxLines: number): { readonly blocks: number; readonly lines: number } {
    let [blocks, lines] = [0, 0]
    for (const one of this.#laidOut) {
      if (lines + one.lines.length > maxLines || !isSettled(one.block)) break
      lines += one.lines.length
      blocks += 1
      this.#above = one.block
    }
    this.#laidOut = this.#laidOut.slice(blocks)
    this.#blocks = this.#blocks.slice(blocks)
    return { blocks, lines }
  }
}
