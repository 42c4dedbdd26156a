import type { DiffRecord } from './diff-records.ts'
import { git, plainDiff, type Repository } from './git-program.ts'
import { isBinaryFile, isBinaryText } from './tree-change.ts'

export interface ChangedLines {
  readonly addedLines: number
  readonly removedLines: number
  /** Its lines count as none. */
  readonly binary: boolean
}

const binary: ChangedLines = { addedLines: 0, removedLines: 0, binary: true }

/** An attribute of the tree may call a text binary: where git does, we look ourselves. @throws {GitProblem} */
export async function changedLines(
  repository: Repository,
  record: DiffRecord,
  file: string,
  indexFile: string,
): Promise<ChangedLines> {
  const { addedLines, removedLines, oldId, path } = record
  if (addedLines !== undefined && removedLines !== undefined)
    return { addedLines, removedLines, binary: false }
  if (await isBinaryFile(file)) return binary
  if (isBinaryText(await git(repository, ['cat-file', 'blob', oldId]))) return binary
  const words = ['diff-files', '--patch', '--text', '--unified=0', ...plainDiff, '--', path]
  const patch = await git(repository, ['--literal-pathspecs', ...words], { indexFile })
  return { ...countPatch(patch), binary: false }
}

function countPatch(patch: string): Pick<ChangedLines, 'addedLines' | 'removedLines'> {
  const lines = patch.split('\n')
  const hunks = lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => line.startsWith('@@')),
    ),
  )
  const countOf = (mark: string) => hunks.filter((line) => line.startsWith(mark)).length
  return { addedLines: countOf('+'), removedLines: countOf('-') }
}
