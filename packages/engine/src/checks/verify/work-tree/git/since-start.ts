/** What a run began with, kept in the verdict of the baseline tree: it survives a resume, and the drive cannot move it. */
import { join } from 'node:path'
import type { Evidence, FileEvidence, Verdict } from '@donecheck/core/verdicts'
import type { VerifierContext } from '../../../../ports/checks.ts'
import { findMergeBase, GitProblem, type Repository } from './git-program.ts'
import { contentAt, digestAt, type TreeChange } from './tree-change.ts'

export interface Start {
  readonly commit: string
  /** Digest of every file that was changed before the run began; null where it was gone. */
  readonly changedBefore: ReadonlyMap<string, string | null>
}

const words = 'compared with the start of the run, commit '
/** More of them count as changes of the run. */
const maxRemembered = 1000

/**
 * The start, as the verdict of the baseline tree tells it. Undefined: that was not asked.
 * @throws {GitProblem} where it was asked and could not be told: then nobody knows what was there
 */
export function startOf(baseline: Verdict | undefined): Start | undefined {
  if (baseline === undefined) return undefined
  const notes = baseline.evidence.flatMap((evidence) => (evidence.kind === 'note' ? [evidence.text] : []))
  const commit = notes.find((text) => text.startsWith(words))?.slice(words.length)
  if (commit === undefined || !/^[0-9a-f]{40,64}$/u.test(commit))
    throw new GitProblem('the commit at the start of the run was not recorded')
  const files = baseline.evidence.filter((evidence) => evidence.kind === 'file')
  return { commit, changedBefore: new Map(files.map(({ path, digest }) => [path, digest])) }
}

export function noteOfStart(commit: string): Evidence {
  return { kind: 'note', text: `${words}${commit}` }
}

/** The commit to compare with, and what was changed before. */
export async function startFor(
  repository: Repository,
  context: VerifierContext,
  revision: string,
): Promise<Start> {
  const known = context.trigger === 'baseline' ? undefined : startOf(context.baseline)
  return known ?? { commit: await findMergeBase(repository, revision), changedBefore: new Map() }
}

/** The files that are changed on the baseline tree. */
export async function listFiles(
  changes: readonly TreeChange[],
  workFolder: string,
  signal: AbortSignal,
): Promise<readonly FileEvidence[]> {
  const files: FileEvidence[] = []
  for (const { path } of changes.slice(0, maxRemembered)) {
    const file = join(workFolder, path)
    const bytes = (await contentAt(file, signal))?.bytes ?? 0
    files.push({ kind: 'file', path, digest: await digestAt(file, signal), bytes })
  }
  return files
}

/** Without those that are still as they were when the run began. */
export async function changesSince(
  changes: readonly TreeChange[],
  { changedBefore }: Start,
  workFolder: string,
  signal: AbortSignal,
): Promise<readonly TreeChange[]> {
  const since: TreeChange[] = []
  for (const change of changes) {
    const before = changedBefore.get(change.path)
    const isAsBefore =
      before !== undefined && before === (await digestAt(join(workFolder, change.path), signal))
    if (!isAsBefore || change.place === 'commits') since.push(change)
  }
  return since
}
