/** One file of the work tree, before the first turn and now. */
export interface FileVersion {
  readonly kind: 'file' | 'symlink'
  /** SHA-256 of the content (of the target, for a symlink), hex. */
  readonly digest: string
  /** Permission bits. */
  readonly mode: number
  /** The content, or the target of a symlink; null where it is not UTF-8 or longer than 1 MiB. */
  readonly text: string | null
}

/** At least one of both is there, and they differ. */
export interface FileChange {
  /** Relative to the work folder, `/` between its parts. */
  readonly path: string
  readonly before: FileVersion | null
  readonly after: FileVersion | null
}
