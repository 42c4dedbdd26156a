import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { distrustSettings, gitEnvironment, given } from '../../../base/index.ts'
import {
  inheritedEnvironment,
  runProcess,
  showExcerpt,
  type ProcessEnd,
} from '../../../system/process/index.ts'

/** Git could not be asked: it is missing, there is no repository, or it says no. Becomes `error` with `infrastructure`. */
export class GitProblem extends Error {
  override readonly name = 'GitProblem'
}

export interface Repository {
  /** Its work tree: absolute, symlinks resolved. */
  readonly root: string
  /** From the root to the folder that is checked, with `/`; empty where they are one. */
  readonly prefix: string
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Whatever the repository's own settings say: no program of theirs is run, no cache of theirs is believed, nothing is
 * fetched, and no setting of theirs hides a change.
 */
const distrust: readonly (readonly [string, string])[] = [
  ...distrustSettings,
  ['core.ignoreStat', 'false'],
  ['core.safecrlf', 'false'],
  ['core.splitIndex', 'false'],
  ['diff.ignoreSubmodules', 'none'],
  ['protocol.allow', 'never'],
  ...(process.platform === 'win32'
    ? []
    : [['core.fileMode', 'true'] as const, ['core.symlinks', 'true'] as const]),
]

/** Of one answer; a longer one is no answer. */
const maxAnswerBytes = 64 * 1024 * 1024

/**
 * The repository that the folder lies in.
 * @throws {GitProblem} where there is none, or git is missing
 */
export async function openRepository(folder: string, signal: AbortSignal): Promise<Repository> {
  const real = await realpath(folder).catch(() => undefined)
  if (real === undefined) throw new GitProblem(`the folder ${folder} does not exist or cannot be read`)
  const root = await findRoot(real)
  if (root === undefined) throw new GitProblem(`${folder} lies in no git repository`)
  const prefix = relative(root, real).split(sep).join('/')
  return { root, prefix, environment: environmentFor(root), signal }
}

/** What git prints. @throws {GitProblem} unless it ends with exit code 0 */
export async function git(
  { root, environment, signal }: Repository,
  words: readonly string[],
  stdin?: string,
): Promise<string> {
  const { end, stdout, output } = await runProcess({
    command: { words: ['git', '--no-pager', ...words] },
    folder: root,
    environment,
    timeoutMs: null,
    signal,
    headBytes: maxAnswerBytes,
    tailBytes: 0,
    keepBytes: 0,
    ...given({ stdin }),
  })
  if (end.kind !== 'exited' || end.exitCode !== 0)
    throw new GitProblem(whyNot(words, end, showExcerpt(output)))
  if (stdout.omittedBytes > 0) throw new GitProblem(`git ${words[0] ?? ''} says more than can be read`)
  return stdout.head
}

/** The parts of an answer to `-z`: names may hold anything but this separator. */
export function partsOf(answer: string): readonly string[] {
  return answer.split('\0').filter((part) => part !== '')
}

/** Nothing is fetched that a partial clone lacks. */
export function offlineGitEnvironment(): Record<string, string> {
  return { ...gitEnvironment(inheritedEnvironment()), GIT_NO_LAZY_FETCH: '1' }
}

async function findRoot(real: string): Promise<string | undefined> {
  for (let root = real; ; root = dirname(root)) {
    const found = await lstat(join(root, '.git')).catch(() => undefined)
    if (found !== undefined) return root
    if (root === dirname(root)) return undefined
  }
}

/** Given as variables: in `-c name=value` a name could hold a `=`. */
function environmentFor(root: string): Readonly<Record<string, string>> {
  const variables = distrust.flatMap(([name, value], index): [string, string][] => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return {
    ...offlineGitEnvironment(),
    GIT_WORK_TREE: root,
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_CONFIG_COUNT: String(distrust.length),
    ...Object.fromEntries(variables),
  }
}

function whyNot(words: readonly string[], end: ProcessEnd, output: string): string {
  switch (end.kind) {
    case 'exited':
      return `git ${words[0] ?? ''} failed (exit ${end.exitCode}): ${output.trim().slice(0, 300)}`
    case 'signalled':
      return `git ${words[0] ?? ''} was killed by ${end.signal}`
    case 'not-started':
      return `git cannot be run: ${end.problem}`
    case 'timed-out':
    case 'aborted':
      return 'interrupted'
  }
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
