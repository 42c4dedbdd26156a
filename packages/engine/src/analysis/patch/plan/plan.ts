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

export interface PlanOptions {
  /** A file may be added or moved onto another, which is lost. Default false: that is refused. */
  readonly overwrite?: boolean
}

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
  /** Not found, but what it would leave behind is there. */
  | 'already-applied'
  /** Two chunks change the same line or stand in another order than the file, or its end is claimed in its middle. */
  | 'contradiction'

export interface PatchProblem {
  readonly kind: PatchProblemKind
  /** For the drive and for people: what, where, and the way out. One sentence or two, on one line. */
  readonly message: string
  /** As written in the patch. */
  readonly path?: string
  /** In the patch, counted from 1. */
  readonly patchLine?: number
  /** Lines of the file, counted from 1, at which it could be meant. At most `maxPlaces`. */
  readonly places?: readonly number[]
  readonly nearest?: NearestMiss
}

/** The place of a file that is most like what was looked for. */
export interface NearestMiss {
  /** Lines of the file, counted from 1; both are in it. */
  readonly firstLine: number
  readonly lastLine: number
  /** From 0 to 1. */
  readonly similarity: number
  /** `-` what the patch expects, `+` what stands in the file, ` ` where they agree; cut where it is long. */
  readonly diff: string
}

export function refusePlan(...problems: readonly PatchProblem[]): Extract<Plan, { kind: 'refused' }> {
  return { kind: 'refused', problems }
}

/** Of one problem; of a plan there may be as many as the patch has chunks. */
const maxDescribed = 10

/** All of it as a text for the drive: one paragraph a problem, with the nearest place below it. */
export function describeProblems(problems: readonly PatchProblem[]): string {
  const shown = problems.slice(0, maxDescribed).map(describeProblem)
  const rest = problems.length - shown.length
  if (rest > 0) shown.push(`... and ${rest} more problem${rest === 1 ? '' : 's'} of this patch`)
  return shown.join('\n')
}

export function describeProblem({ message, patchLine, nearest }: PatchProblem): string {
  const where = patchLine === undefined ? '' : `line ${patchLine} of the patch: `
  if (nearest === undefined) return `${where}${message}`
  const lines =
    nearest.firstLine === nearest.lastLine
      ? `line ${nearest.firstLine}`
      : `lines ${nearest.firstLine}-${nearest.lastLine}`
  const percent = Math.floor(nearest.similarity * 100)
  return `${where}${message}\nMost like it: ${lines} (${percent} % alike; - expected, + in the file)\n${nearest.diff}`
}
