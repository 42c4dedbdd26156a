export interface FileImage {
  readonly bytes: Uint8Array
  /** Permission bits, such as 0o644. */
  readonly mode: number
}

/** `before` or `after` is null if the file does not exist, never both. */
export interface ChangedFile {
  /** Relative to the root, symlinks resolved, `/` between parts, without `.` and `..`. */
  readonly path: string
  readonly before: FileImage | null
  readonly after: FileImage | null
  /** Path it was moved from, for people; the set contains that path too, with `after` null. */
  readonly movedFrom?: string
}

/** Contains each path once. Swap `before` and `after` to reverse it. */
export type ChangeSet = readonly ChangedFile[]

export type FileLook =
  | { readonly kind: 'file'; readonly path: string; readonly image: FileImage }
  /** `path`: where it would be created. */
  | { readonly kind: 'missing'; readonly path: string }
  /** A folder, a device, outside the root, unreadable or too large. One sentence that names the path. */
  | { readonly kind: 'refused'; readonly reason: string }

/** Never rejects. */
export interface PatchFiles {
  look(path: string): Promise<FileLook>
}

/** File changes that a patch makes, or every problem with it. Nothing is written. */
export type Plan =
  | {
      readonly kind: 'planned'
      /** Empty if the files are already as the patch wants. */
      readonly changes: ChangeSet
      /** Tolerated deviations, one sentence each, such as different white space. */
      readonly notes: readonly string[]
    }
  /** Problems of all files in patch order; never empty. */
  | { readonly kind: 'refused'; readonly problems: readonly PatchProblem[] }

export type PatchProblemKind =
  | 'malformed'
  /** Not relative, or leaves the root. */
  | 'bad-path'
  /** Outside the root, a folder, or too large. */
  | 'refused-file'
  | 'missing-file'
  | 'existing-file'
  /** Not readable as text, or the new text does not fit its encoding. */
  | 'not-text'
  | 'not-found'
  | 'ambiguous'
  /** Two chunks change the same line, are out of order, or claim the end of the file in its middle. */
  | 'contradiction'

export interface PatchProblem {
  readonly kind: PatchProblemKind
  /** One line for the agent and the user: what is wrong, where, what to do. */
  readonly message: string
  readonly path?: string
  /** Line in the patch, from 1. */
  readonly patchLine?: number
  /** Candidate lines of the file, from 1. At most 20. */
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
