import { git, GitProblem, type Repository } from './git-program.ts'

/** The latest commit; undefined where nothing was committed yet. @throws {GitProblem} where git cannot say */
export async function readHead(repository: Repository): Promise<string | undefined> {
  const branches = await git(repository, ['for-each-ref', '--count=1', '--format=%(refname)'])
  const isUnborn = branches.trim() === '' && (await isOnBranch(repository))
  return isUnborn ? undefined : resolveCommit(repository, 'HEAD')
}

async function isOnBranch(repository: Repository): Promise<boolean> {
  return git(repository, ['symbolic-ref', '--quiet', 'HEAD']).then(
    () => true,
    () => false,
  )
}

/** The commit that a name stands for now. @throws {GitProblem} where it names none */
async function resolveCommit(repository: Repository, revision: string): Promise<string> {
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const commit = await git(repository, words).catch(() => '')
  repository.signal.throwIfAborted()
  if (commit.trim() !== '') return commit.trim()
  throw new GitProblem(`there is no revision "${revision}" in the repository ${repository.root}`)
}

/** What to compare with: the commit, or the empty tree where nothing was committed yet. @throws {GitProblem} */
export async function findMergeBase(repository: Repository, revision: string): Promise<string> {
  if (revision !== 'HEAD') return resolveCommit(repository, revision)
  const head = await readHead(repository)
  return head ?? (await git(repository, ['hash-object', '-t', 'tree', '--stdin'], { stdin: '' })).trim()
}
