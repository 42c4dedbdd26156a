import type { VerifierContext, VerifierReport } from '../../../../ports/checks.ts'
import { undecidedReport } from '../../reports/reports.ts'
import { git, GitProblem, openRepository, partsOf, plainDiff, type Repository } from './git-program.ts'
import { showPath, type TreeChange } from './tree-change.ts'
import picomatch from 'picomatch'
import { UsageError } from '../../../../base/index.ts'

/** Named in a sentence; the others are counted. */
const namedInReason = 5
/** Listed in the evidence. */
const listedInEvidence = 200

/** Asks git about the work folder; where git cannot be asked, nothing is known. */
export async function withRepository(
  name: string,
  { workFolder }: VerifierContext,
  signal: AbortSignal,
  ask: (repository: Repository, workFolder: string) => Promise<VerifierReport>,
): Promise<VerifierReport> {
  if (workFolder === null) return undecidedReport(`${name} has no work folder to look at; give the run one`)
  try {
    return await ask(await openRepository(workFolder, signal), workFolder)
  } catch (error) {
    if (error instanceof GitProblem)
      return undecidedReport(`${name} could not be decided: ${error.message}`, 'infrastructure')
    throw error
  }
}

/**
 * What has changed since the last commit, as git shows it, with the names of files that git does not know yet. Undefined: it
 * cannot be told, such as outside of a repository. No program that the repository names is run.
 * @throws the signal's reason after an abort
 */
export async function gitDiffText(folder: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const repository = await openRepository(folder, signal)
    const place = repository.prefix === '' ? '.' : repository.prefix
    const diff = await git(repository, ['diff', ...plainDiff, 'HEAD', '--', place])
    const listed = await git(repository, ['ls-files', '-z', '--others', '--exclude-standard', '--', place])
    return [...partsOf(listed).map((path) => `new file: ${path}\n`), diff].join('')
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof GitProblem) return undefined
    throw error
  }
}

/** Such as `src/a.ts, src/b.ts and 3 more`. */
export function showPaths(changes: readonly TreeChange[]): string {
  const named = changes.slice(0, namedInReason).map(({ path }) => showPath(path))
  const others = changes.length - named.length
  return named.join(', ') + (others > 0 ? ` and ${others} more` : '')
}

/** One line for each change: what happened, where, how much. */
export function listOf(changes: readonly TreeChange[]): string {
  const lines = changes.slice(0, listedInEvidence).map(showChange)
  const others = changes.length - lines.length
  return [...lines, ...(others > 0 ? [`… and ${others} more`] : [])].join('\n')
}

function showChange({ kind, path, place, binary, bytes, addedLines, removedLines }: TreeChange): string {
  const where = { 'work-tree': '', index: ', in the index only', commits: ', in commits only' }[place]
  const amount = binary ? `binary, ${bytes} bytes` : `+${addedLines} -${removedLines}`
  return `${kind} ${showPath(path)} (${amount}${where})`
}

/**
 * Whether a path is meant by one of the globs: `*` stays within a folder, `**` does not, and names that begin with a dot
 * are names like others. A glob without special characters means that path, and all below it.
 * @param option for messages, such as `only`
 * @throws {UsageError} for a glob that means nothing
 */
export function pathMatcher(option: string, globs: readonly string[]): (path: string) => boolean {
  for (const glob of globs)
    if (typeof glob !== 'string' || glob.trim() === '' || glob.startsWith('/') || glob.startsWith('!'))
      throw new UsageError(
        `${option} has ${JSON.stringify(glob)}; give globs relative to the work folder, such as "src/**"`,
      )
  const plain = globs.map((glob) => glob.replace(/^\.\//u, '').replace(/\/+$/u, ''))
  const isMatch = picomatch(plain, { dot: true, nonegate: true })
  return (path) =>
    plain.some((glob) => path === glob || path.startsWith(`${glob}/`)) || (plain.length > 0 && isMatch(path))
}
