/** What is asked of the table of sides. */

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
