import { relative, sep } from 'node:path'
import { findRepository, runGit, type Place } from '../../../system/process/index.ts'
import { maxTimerMs } from '../reports/verifier-of.ts'

/** Git could not be asked: it is missing, there is no repository, or it says no. Becomes `error` with `infrastructure`. */
export class GitProblem extends Error {
  override readonly name = 'GitProblem'
}

export interface Repository extends Place {
  /** From the root to the folder that is checked, with `/`; empty where they are one. */
  readonly prefix: string
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** No setting of the repository hides a change, and nothing is fetched. */
const distrust = [
  ...['core.ignoreStat=false', 'core.safecrlf=false', 'core.splitIndex=false'],
  ...['diff.ignoreSubmodules=none', 'protocol.allow=never'],
  ...(process.platform === 'win32' ? [] : ['core.fileMode=true', 'core.symlinks=true']),
].flatMap((setting) => ['-c', setting])

/** @throws {GitProblem} if the folder is in no repository */
export function openRepository(folder: string, signal: AbortSignal): Repository {
  const place = findRepository(folder)
  if (place === undefined) throw new GitProblem(`${folder} lies in no git repository`)
  const { root } = place
  const prefix = relative(root, place.folder).split(sep).join('/')
  return { root, folder: root, prefix, environment: { GIT_NO_LAZY_FETCH: '1' }, signal }
}

/** What git prints. @throws {GitProblem} unless it ends with exit code 0 */
export async function git(repository: Repository, words: readonly string[], stdin = ''): Promise<string> {
  const { environment, signal } = repository
  const options = { stdin, environment, timeoutMs: maxTimerMs }
  const { exitCode, stdout, problem } = await runGit(repository, [...distrust, ...words], signal, options)
  if (exitCode === 0) return stdout.toString()
  throw new GitProblem(`git ${words[0] ?? ''} failed: ${problem.slice(0, 300)}`)
}

/** The parts of an answer to `-z`: names may hold anything but this separator. */
export function partsOf(answer: string): readonly string[] {
  return answer.split('\0').filter((part) => part !== '')
}

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
  return head ?? (await git(repository, ['hash-object', '-t', 'tree', '--stdin'], '')).trim()
}
