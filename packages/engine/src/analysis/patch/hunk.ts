/** A patch in the V4A form, as it was written: what it asks for, before anybody has looked at a file. */

export type Hunk = AddHunk | DeleteHunk | UpdateHunk

export interface AddHunk {
  readonly kind: 'add'
  /** As written, and so in every hunk: relative to the folder, absolute, or with `..` in it. */
  readonly path: string
  /** Each gets a `\n`; none: an empty file. */
  readonly lines: readonly string[]
  /** The last line gets none. Dialect `strict` only. */
  readonly isUnterminated?: true
  /** Of its header in the patch, counted from 1; the begin line is line 1. */
  readonly line: number
}

export interface DeleteHunk {
  readonly kind: 'delete'
  readonly path: string
  readonly line: number
}

export interface UpdateHunk {
  readonly kind: 'update'
  readonly path: string
  readonly moveTo?: string
  /** Dialect `codex`: at least one. Dialect `strict`: may be empty where it is moved. */
  readonly chunks: readonly Chunk[]
  readonly line: number
}

/** One place of a file: lines that must stand there, and what becomes of them. */
export interface Chunk {
  /** What follows `@@`, outermost first. Dialect `codex`: one at most. */
  readonly contexts: readonly PatchLine[]
  /** Never empty. */
  readonly lines: readonly ChunkLine[]
  /** `*** End of File`: the old lines must be the last ones of the file. */
  readonly isEndOfFile: boolean
  /** Of its `@@`, or of its first line where it has none. */
  readonly line: number
}

export interface PatchLine {
  /** Without its marker and terminator. */
  readonly text: string
  readonly line: number
}

export interface ChunkLine extends PatchLine {
  readonly kind: 'context' | 'removed' | 'added'
  /** `\ No newline at end of file` follows it. Dialect `strict` only. */
  readonly isUnterminated?: true
}

/** What the first character of a line in a chunk says of it. */
export const lineKinds: Readonly<Record<string, ChunkLine['kind']>> = {
  ' ': 'context',
  '-': 'removed',
  '+': 'added',
}

/** What the chunk expects to find. */
export function oldLinesOf(chunk: Pick<Chunk, 'lines'>): string[] {
  return chunk.lines.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text]))
}

export type ParsedPatch =
  | { readonly kind: 'patch'; readonly hunks: readonly Hunk[]; readonly environmentId?: string }
  | {
      readonly kind: 'invalid'
      /** In the words of the reference in dialect `codex`. */
      readonly message: string
      /** Where it has one. */
      readonly line?: number
    }

/**
 * `codex`: accepts and refuses exactly what the reference does. `strict`: accepts more: stacked `@@`, a rename
 * without chunks, blank lines between hunks, `@@ -1,2 +1,3 @@` as in a unified diff, `\ No newline at end of file`.
 */
export type PatchDialect = 'codex' | 'strict'
