import type { ChunkLine } from '../hunk.ts'

export interface DiffPaths {
  readonly oldPath: string
  readonly newPath: string
}

/** A unified diff as it was written. */
export interface UnifiedFile {
  /** How the names may be meant: as they are, or without a prefix. Never empty. */
  readonly paths: readonly [DiffPaths, ...DiffPaths[]]
  readonly change: 'created' | 'changed' | 'deleted'
  /** Whether it may be run, where the diff says so. */
  readonly isExecutable?: boolean
  readonly hunks: readonly UnifiedHunk[]
  /** Of its first header, counted from 1, as every line here. */
  readonly line: number
}

export interface UnifiedHunk {
  /** As the hunk says: the line of the file, from 1, of its first old line; without old lines, the one above. */
  readonly oldStart: number
  /** A carriage return at the end belongs to the text. */
  readonly lines: readonly ChunkLine[]
  readonly line: number
}

export type ParsedDiff =
  | { readonly kind: 'diff'; readonly files: readonly UnifiedFile[] }
  | { readonly kind: 'invalid'; readonly message: string; readonly line: number }

/** What is wrong with a diff, and where. Never leaves this folder but as a value. */
export class DiffFault extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}
