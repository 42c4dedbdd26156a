/** What is asked of the table of sides, and what it answers. */
import type { Side, SideReason } from './reasons.ts'

/** Files are read lazily, because reading costs. Paths are relative to the work folder, with `/`. */
export interface ReadableTree {
  has(path: string): boolean
  paths(): Iterable<string>
  /** Null: absent, binary or too long. */
  text(path: string): string | null
}

export interface SidesRequest {
  readonly baseline: ReadableTree
  readonly delivered: ReadableTree
  /** Files that were added, deleted or modified. */
  readonly changed: readonly string[]
  /** Command lines of the checks. */
  readonly checkLines: readonly string[]
  /** Globs of the user: check side. */
  readonly protect: readonly string[]
}

export interface Placement {
  readonly path: string
  readonly side: Side
  readonly reason: SideReason
  /** Where the content of a new file was before. Absent: nowhere. */
  readonly movedFrom?: string
  /** One plain sentence that names the files. */
  readonly because: string
}
