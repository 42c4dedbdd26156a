/** What a patch comes down to: for every file it touches, what is there before and after. */

/** A regular file. */
export interface FileImage {
  readonly bytes: Uint8Array
  /** Permission bits, such as 0o644. */
  readonly mode: number
}

/** Null stands for no file. Before and after are never both null. */
export interface ChangedFile {
  /** Relative to the root, symlinks resolved, `/` between its parts, without `.` and `..`. */
  readonly path: string
  readonly before: FileImage | null
  readonly after: FileImage | null
  /** The file that it was moved from, for people; that one is in the set too, with `after` null. */
  readonly movedFrom?: string
}

/** Each path stands in it once. To reverse it, swap `before` and `after`. */
export type ChangeSet = readonly ChangedFile[]

/** What stands at a path now. */
export type FileLook =
  | { readonly kind: 'file'; readonly path: string; readonly image: FileImage }
  /** `path`: where it would be created. */
  | { readonly kind: 'missing'; readonly path: string }
  /** A folder, a device, outside of the root, unreadable, too large: one sentence that names the path. */
  | { readonly kind: 'refused'; readonly reason: string }

/** The files that a plan may look at. Never rejects. */
export interface PatchFiles {
  look(path: string): Promise<FileLook>
}
