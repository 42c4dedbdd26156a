import { git, GitProblem, openRepository, partsOf } from './git-program.ts'

/**
 * What has changed since the last commit, as git shows it, with the names of files that git does not know yet. Undefined: it
 * cannot be told, such as outside of a repository. No program that the repository names is run.
 * @throws the signal's reason after an abort
 */
export async function gitDiffText(folder: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const repository = await openRepository(folder, signal)
    const place = repository.prefix === '' ? '.' : repository.prefix
    const diff = await git(repository, [
      'diff',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      'HEAD',
      '--',
      place,
    ])
    const listed = await git(repository, ['ls-files', '-z', '--others', '--exclude-standard', '--', place])
    return [...partsOf(listed).map((path) => `new file: ${path}\n`), diff].join('')
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof GitProblem) return undefined
    throw error
  }
}
