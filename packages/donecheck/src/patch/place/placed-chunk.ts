import type { LineEnd } from '../text/file-lines.ts'

export interface PlacedLine {
  readonly kind: 'context' | 'removed' | 'added'
  readonly text: string
  /** Of an added line; absent: that of its neighbours. */
  readonly end?: LineEnd
  readonly isUnterminated?: true
}

/** A chunk at the one place that it means. */
export interface PlacedChunk {
  /** The line of the file, counted from 0, at which its first old line stands, or before which it adds. */
  readonly start: number
  readonly lines: readonly PlacedLine[]
  /** In the patch, counted from 1. */
  readonly line: number
}
