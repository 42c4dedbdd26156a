import { existsSync, lstatSync } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join, posix, resolve } from 'node:path'
import { makeScratchFolder, removeScratchFolder } from '../../../system/process/index.ts'
import { findMergeBase, git, GitProblem, openRepository, partsOf, readHead, type Repository } from './git.ts'

/** One path that differs from a revision. A rename is one removed and one added. */
export interface TreeChange {
  /** Relative to the checked folder, with `/`; outside ones start with `../`. */
  readonly path: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** `commits` and `index`: only there; the work tree is unchanged. */
  readonly place: 'work-tree' | 'index' | 'commits'
  readonly addedLines: number
  readonly removedLines: number
  /** Has no line counts. */
  readonly binary: boolean
  /** Current size; 0 if removed. */
  readonly bytes: number
  /** Git id of the content; zeros if removed. */
  readonly id: string
}

/** A tree in our own repository, which also sees the user's objects. */
interface Stored {
  /** No file of the work tree decides there what is binary. */
  readonly repository: Repository
  readonly tree: string
}

const submoduleMode = '160000'

/**
 * Lists every path that differs from a commit: work tree, index, commits since, submodules. Runs no filter,
 * so LFS files count as changed.
 * @throws {GitProblem} also for a broken submodule
 */
export function listChanges(repository: Repository, commit: string): Promise<readonly TreeChange[]> {
  return withStored(repository, commit, async (stored) => {
    const head = await readHead(repository)
    const [absent, submodules] = [await pathsLeftOut(repository), await submodulesOf(repository, commit)]
    const inTree = await readChanges(stored.repository, 'work-tree', ['diff-tree', '-r', commit, stored.tree])
    const lists = [
      inTree.filter(({ path, kind }) => kind !== 'removed' || !absent.has(path)),
      ...(await Promise.all(submodules.map((submodule) => changesOfSubmodule(repository, submodule)))),
      await readChanges(repository, 'index', ['diff-index', '--cached', commit]),
      head === undefined || head === commit
        ? []
        : await readChanges(stored.repository, 'commits', ['diff-tree', '-r', commit, head]),
    ]
    const byPath = new Map<string, TreeChange>()
    for (const change of lists.flat()) if (!byPath.has(change.path)) byPath.set(change.path, change)
    return [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
  })
}

/** Stores the work tree in our own repository, so the user's index and filters have no effect. */
async function withStored<Value>(
  repository: Repository,
  commit: string,
  use: (stored: Stored) => Promise<Value>,
): Promise<Value> {
  const folder = makeScratchFolder('index')
  try {
    const asked = ['rev-parse', '--show-object-format', '--git-path', 'objects', '--git-path', 'info/exclude']
    const [format = '', objects = '', exclude = ''] = (await git(repository, asked)).split('\n')
    const [own, nothing] = [join(folder, 'git'), join(folder, 'nothing')]
    const made = withVariables(repository, {
      GIT_DIR: own,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(resolve(repository.root, objects)),
    })
    await mkdir(nothing)
    await git(made, ['init', '--quiet', '--template=', `--object-format=${format}`])
    const excluded = resolve(repository.root, exclude)
    await mkdir(join(own, 'info'))
    if (existsSync(excluded)) await copyFile(excluded, join(own, 'info/exclude'))
    await git(made, ['read-tree', commit])
    await git(made, [...(await lineEndSettings(repository)), 'add', '--all'])
    const tree = (await git(made, ['write-tree'])).trim()
    const bare = withVariables(made, { GIT_WORK_TREE: nothing, GIT_INDEX_FILE: join(nothing, 'index') })
    return await use({ repository: { ...bare, root: nothing, folder: nothing }, tree })
  } finally {
    removeScratchFolder(folder)
  }
}

function withVariables(repository: Repository, variables: Repository['environment']): Repository {
  return { ...repository, environment: { ...repository.environment, ...variables } }
}

/** Line end settings of the user's repository. */
async function lineEndSettings(repository: Repository): Promise<readonly string[]> {
  const listed = await git(repository, ['config', '--null', '--list'])
  const settings = partsOf(listed).map((setting) => setting.replace('\n', '='))
  const wanted = settings.filter((setting) => /^core\.(?:autocrlf|eol|excludesfile)=/u.test(setting))
  return wanted.flatMap((setting) => ['-c', setting])
}

async function pathsLeftOut(repository: Repository): Promise<ReadonlySet<string>> {
  const isSparse = await git(repository, ['config', '--bool', '--default=false', 'core.sparseCheckout'])
  if (isSparse.trim() !== 'true') return new Set()
  const listed = partsOf(await git(repository, ['ls-files', '-z', '-t']))
  const skipped = listed.flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []))
  const isThere = (path: string) =>
    lstatSync(join(repository.root, path), { throwIfNoEntry: false }) !== undefined
  return new Set(skipped.filter((path) => !isThere(path)).map((path) => pathFrom(repository, path)))
}

interface Submodule {
  readonly path: string
  readonly commit: string
}

async function submodulesOf(repository: Repository, commit: string): Promise<readonly Submodule[]> {
  return partsOf(await git(repository, ['ls-tree', '-r', '-z', '--full-tree', commit])).flatMap((line) => {
    const [, mode, id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/su.exec(line) ?? []
    return mode === submoduleMode ? [{ path, commit: id }] : []
  })
}

/** Git compares only a submodule's commit; we compare its files with that commit. */
async function changesOfSubmodule(
  repository: Repository,
  { path, commit }: Submodule,
): Promise<readonly TreeChange[]> {
  const root = join(repository.root, path)
  const names = await readdir(root).catch((): string[] => [])
  if (names.length === 0) return []
  if (!names.includes('.git')) throw new GitProblem(`the submodule ${path} has lost its repository`)
  const changes = await listChanges(openRepository(root, repository.signal), commit)
  return changes.map((change) => ({ ...change, path: pathFrom(repository, posix.join(path, change.path)) }))
}

const diffOptions = ['-z', '--raw', '--numstat', '--no-abbrev', '--no-renames', '--ignore-submodules=dirty']

async function readChanges(
  repository: Repository,
  place: TreeChange['place'],
  [command = '', ...words]: readonly string[],
): Promise<readonly TreeChange[]> {
  const answer = await git(repository, [command, ...diffOptions, ...words, '--'])
  const records = readDiffRecords(answer)
  const sizes = await readSizes(repository, records)
  return records.map(({ path, status, newId, lines }) => ({
    path: pathFrom(repository, path),
    kind: status === 'A' ? 'added' : status === 'D' ? 'removed' : 'changed',
    place,
    ...(lines ?? { addedLines: 0, removedLines: 0 }),
    binary: lines === undefined,
    bytes: sizes.get(newId) ?? 0,
    id: newId,
  }))
}

async function readSizes(
  repository: Repository,
  records: readonly DiffRecord[],
): Promise<ReadonlyMap<string, number>> {
  const ids = records.filter(({ newMode }) => !['000000', submoduleMode].includes(newMode))
  if (ids.length === 0) return new Map()
  const words = ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer']
  const stdin = ids.map(({ newId }) => `${newId}\n`).join('')
  const sizes = await git(repository, words, stdin)
  return new Map(
    sizes.split('\n').map((line) => {
      const [id = '', size] = line.split(' ')
      return [id, Number(size)] as const
    }),
  )
}

function pathFrom({ prefix }: Repository, path: string): string {
  return posix.relative(prefix, path) || '.'
}

interface DiffRecord {
  readonly path: string
  readonly status: string
  readonly newMode: string
  readonly newId: string
  readonly lines?: { readonly addedLines: number; readonly removedLines: number }
}

/** Parses `--raw --numstat -z` without renames. @throws {SyntaxError} */
function readDiffRecords(answer: string): readonly DiffRecord[] {
  const records = new Map<string, DiffRecord>()
  const parts = partsOf(answer)[Symbol.iterator]()
  for (const part of parts) {
    const [, newMode = '', newId = '', status] =
      /^:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) ([A-Z])\d*$/u.exec(part) ?? []
    if (status !== undefined) {
      const path = parts.next().value ?? ''
      records.set(path, { path, status, newMode, newId })
      continue
    }
    const [, added, removed, path = ''] = /^(-|\d+)\t(-|\d+)\t(.+)$/su.exec(part) ?? []
    const record = records.get(path)
    if (record === undefined)
      throw new SyntaxError(`git answered what is not understood: ${JSON.stringify(part)}`)
    if (added === '-') continue
    records.set(path, { ...record, lines: { addedLines: Number(added), removedLines: Number(removed) } })
  }
  return [...records.values()]
}

/** Diff since the last commit, with new file names; undefined without git. @throws the signal's reason */
export async function gitDiffText(folder: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const repository = openRepository(folder, signal)
    const commit = await findMergeBase(repository, 'HEAD')
    return await withStored(repository, commit, async (stored) => {
      const place = repository.prefix === '' ? '.' : repository.prefix
      const ask = (...words: readonly string[]) =>
        git(stored.repository, ['diff-tree', '-r', ...words, commit, stored.tree, '--', place])
      const added = partsOf(await ask('-z', '--name-only', '--diff-filter=A'))
      const diff = await ask('--patch', '--diff-filter=a')
      return [...added.map((path) => `new file: ${path}\n`), diff].join('')
    })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof GitProblem) return undefined
    throw error
  }
}
