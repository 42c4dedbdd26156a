import { relative, sep } from 'node:path'
import { findRepository, runGit, type Place } from '../../../system/process/index.ts'
import { maxTimerMs } from '../reports/verifier-of.ts'

/** Git is missing, fails, or finds no repository. Becomes `error` with `infrastructure`. */
export class GitProblem extends Error {
  override readonly name = 'GitProblem'
}

export interface Repository extends Place {
  /** Path from the root to the checked folder, with `/`; empty if equal. */
  readonly prefix: string
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** No repository setting can hide a change, and nothing is fetched. */
const distrust = [
  ...['core.ignoreStat=false', 'core.safecrlf=false', 'core.splitIndex=false'],
  ...['diff.ignoreSubmodules=none', 'protocol.allow=never'],
  ...(process.platform === 'win32' ? [] : ['core.fileMode=true', 'core.symlinks=true']),
].flatMap((setting) => ['-c', setting])

/** @throws {GitProblem} outside a repository */
export function openRepository(folder: string, signal: AbortSignal): Repository {
  const place = findRepository(folder)
  if (place === undefined) throw new GitProblem(`${folder} lies in no git repository`)
  const { root } = place
  const prefix = relative(root, place.folder).split(sep).join('/')
  return { root, folder: root, prefix, environment: { GIT_NO_LAZY_FETCH: '1' }, signal }
}

/** Returns git's output. @throws {GitProblem} unless it exits with 0 */
export async function git(repository: Repository, words: readonly string[], stdin = ''): Promise<string> {
  const { environment, signal } = repository
  const options = { stdin, environment, timeoutMs: maxTimerMs }
  const { exitCode, stdout, problem } = await runGit(repository, [...distrust, ...words], signal, options)
  if (exitCode === 0) return stdout.toString()
  throw new GitProblem(`git ${words[0] ?? ''} failed: ${problem.slice(0, 300)}`)
}

export function partsOf(answer: string): readonly string[] {
  return answer.split('\0').filter((part) => part !== '')
}

/** The latest commit; undefined before the first one. @throws {GitProblem} */
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

/** Resolves a revision. @throws {GitProblem} if unknown */
async function resolveCommit(repository: Repository, revision: string): Promise<string> {
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const commit = await git(repository, words).catch(() => '')
  repository.signal.throwIfAborted()
  if (commit.trim() !== '') return commit.trim()
  throw new GitProblem(`there is no revision "${revision}" in the repository ${repository.root}`)
}

/** The commit to compare with, or the empty tree before the first one. @throws {GitProblem} */
export async function findMergeBase(repository: Repository, revision: string): Promise<string> {
  if (revision !== 'HEAD') return resolveCommit(repository, revision)
  const head = await readHead(repository)
  return head ?? (await git(repository, ['hash-object', '-t', 'tree', '--stdin'], '')).trim()
}
