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

/** What a patch would do to the files as they are now, or everything that is wrong with it. Nothing has been written. */
export type Plan =
  | {
      readonly kind: 'planned'
      /** Empty: the files are as the patch wants them already. */
      readonly changes: ChangeSet
      /** What was taken with good will, one sentence each: white space that differed, a file that was there already. */
      readonly notes: readonly string[]
    }
  /** Of all its files at once, in the order of the patch; never empty. */
  | { readonly kind: 'refused'; readonly problems: readonly PatchProblem[] }

export type PatchProblemKind =
  | 'malformed'
  /** A path that is not relative, or leaves the root by its form. */
  | 'bad-path'
  /** The files do not let it be looked at: outside of the root, a folder, too large. */
  | 'refused-file'
  | 'missing-file'
  | 'existing-file'
  /** It cannot be read as text, or the new text cannot be written in its encoding. */
  | 'not-text'
  | 'not-found'
  | 'ambiguous'
  /** Two chunks change the same line or stand in another order than the file, or its end is claimed in its middle. */
  | 'contradiction'

export interface PatchProblem {
  readonly kind: PatchProblemKind
  /** For the agent and for people: what is wrong, where, and what to do. On one line. */
  readonly message: string
  readonly path?: string
  /** In the patch, counted from 1. */
  readonly patchLine?: number
  /** Lines of the file, counted from 1, at which it could be meant. At most 20. */
  readonly places?: readonly number[]
}

export function refusePlan(...problems: readonly PatchProblem[]): Extract<Plan, { kind: 'refused' }> {
  return { kind: 'refused', problems }
}

const maxDescribed = 10

export function describeProblems(problems: readonly PatchProblem[]): string {
  const shown = problems.slice(0, maxDescribed).map(describeProblem)
  const rest = problems.length - shown.length
  if (rest > 0) shown.push(`... and ${rest} more problem${rest === 1 ? '' : 's'} of this patch`)
  return shown.join('\n')
}

export function describeProblem({ message, patchLine }: PatchProblem): string {
  return patchLine === undefined ? message : `line ${patchLine} of the patch: ${message}`
}
