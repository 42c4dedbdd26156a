import type { ChangeSet } from '../change-set.ts'

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
  /** The text is not a patch of its format. */
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
  /** As written in the patch. */
  readonly path?: string
  /** In the patch, counted from 1. */
  readonly patchLine?: number
  /** Lines of the file, counted from 1, at which it could be meant. At most 20. */
  readonly places?: readonly number[]
}

export function refusePlan(...problems: readonly PatchProblem[]): Extract<Plan, { kind: 'refused' }> {
  return { kind: 'refused', problems }
}

/** A plan may have as many problems as the patch has chunks. */
const maxDescribed = 10

/** All problems as a text for the agent, one on each line. */
export function describeProblems(problems: readonly PatchProblem[]): string {
  const shown = problems.slice(0, maxDescribed).map(describeProblem)
  const rest = problems.length - shown.length
  if (rest > 0) shown.push(`... and ${rest} more problem${rest === 1 ? '' : 's'} of this patch`)
  return shown.join('\n')
}

export function describeProblem({ message, patchLine }: PatchProblem): string {
  return patchLine === undefined ? message : `line ${patchLine} of the patch: ${message}`
}
