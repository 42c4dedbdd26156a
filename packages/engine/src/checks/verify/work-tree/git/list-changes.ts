import { lstatSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { changedLines } from './changed-lines.ts'
import { readHead, git, GitProblem, openRepository, partsOf, type Repository } from './git-program.ts'
import { readDiffRecords, type DiffRecord } from './diff-records.ts'
import { contentAt, type TreeChange } from './tree-change.ts'

const submoduleMode = '160000'

const diffOptions = [
  '-z',
  '--raw',
  '--numstat',
  '--no-abbrev',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
]

/**
 * Every path of the repository that is not as it is in a commit: in the work tree (untracked files too, ignored ones
 * aside), in the index, or in the commits since. The work tree is compared through an index of our own, made from that
 * commit: what the repository's index claims (unchanged times, `assume-unchanged`) is not believed, and `skip-worktree` only in a
 * sparse checkout, whose other files are not missing.
 * Submodules are looked into; no filter is run, so a file of large-file storage counts as changed.
 * @throws {GitProblem} also for a submodule with submodules of its own, whose changes would go unseen
 */
export async function listChanges(
  repository: Repository,
  commit: string,
  isSubmodule = false,
): Promise<readonly TreeChange[]> {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-index-'))
  try {
    const indexFile = join(folder, 'index')
    await git(repository, ['read-tree', commit], { indexFile })
    await skipSparse(repository, indexFile)
    // Every content is read and compared; without `-q` what differs would be a failure.
    await git(repository, ['update-index', '-q', '--refresh'], { indexFile })
    const lists = [
      await changedFiles(repository, indexFile),
      await untrackedFiles(repository, indexFile),
      await submoduleFiles(repository, indexFile, isSubmodule),
      await storedChanges(repository, 'index', ['diff-index', '--cached', ...diffOptions, commit, '--']),
      await commitsSince(repository, commit),
    ]
    const byPath = new Map<string, TreeChange>()
    for (const change of lists.flat()) if (!byPath.has(change.path)) byPath.set(change.path, change)
    return [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function skipSparse(repository: Repository, indexFile: string): Promise<void> {
  const isSparse = await git(repository, ['config', '--bool', '--default=false', 'core.sparseCheckout'])
  if (isSparse.trim() !== 'true') return
  const listed = partsOf(await git(repository, ['ls-files', '-z', '-t']))
  const skipped = new Set(listed.flatMap((line) => (line.startsWith('S ') ? line.slice(2) : [])))
  const isAbsent = (path: string) =>
    skipped.has(path) && lstatSync(join(repository.root, path), { throwIfNoEntry: false }) === undefined
  const paths = partsOf(await git(repository, ['ls-files', '-z'], { indexFile }))
  const stdin = paths.flatMap((path) => (isAbsent(path) ? `${path}\0` : [])).join('')
  await git(repository, ['update-index', '-z', '--skip-worktree', '--stdin'], { indexFile, stdin })
}

async function changedFiles(repository: Repository, indexFile: string): Promise<readonly TreeChange[]> {
  const records = readDiffRecords(await git(repository, ['diff-files', ...diffOptions], { indexFile }))
  const changes: TreeChange[] = []
  for (const record of records) {
    const file = join(repository.root, record.path)
    const lines = await changedLines(repository, record, file, indexFile)
    const bytes = (await contentAt(file, repository.signal))?.bytes ?? 0
    const path = pathFrom(repository, record.path)
    changes.push({ path, kind: kindOf(record), place: 'work-tree', ...lines, bytes })
  }
  return changes
}

async function untrackedFiles(repository: Repository, indexFile: string): Promise<readonly TreeChange[]> {
  const listed = await git(repository, ['ls-files', '-z', '--others', '--exclude-standard'], { indexFile })
  const paths: string[] = []
  for (const path of partsOf(listed))
    paths.push(...(path.endsWith('/') ? await filesBelow(repository, path.slice(0, -1)) : [path]))
  return addedFiles(repository, paths)
}

/** Git does not look into a repository inside this one. It counts even when it is empty. */
async function filesBelow(repository: Repository, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(repository.root, folder), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => posix.relative(repository.root, posix.join(entry.parentPath, entry.name)))
    .filter((path) => !path.slice(folder.length).split('/').includes('.git'))
  return paths.length === 0 ? [folder] : paths
}

async function addedFiles(repository: Repository, paths: readonly string[]): Promise<readonly TreeChange[]> {
  const changes: TreeChange[] = []
  for (const path of paths) {
    const content = await contentAt(join(repository.root, path), repository.signal)
    changes.push({
      path: pathFrom(repository, path),
      kind: 'added',
      place: 'work-tree',
      addedLines: content?.lines ?? 0,
      removedLines: 0,
      binary: content?.binary ?? false,
      bytes: content?.bytes ?? 0,
    })
  }
  return changes
}

/** Git sees of a submodule which commit it is at. We compare its files with the commit that this one names. */
async function submoduleFiles(
  repository: Repository,
  indexFile: string,
  isNested: boolean,
): Promise<readonly TreeChange[]> {
  const staged = partsOf(await git(repository, ['ls-files', '-z', '--stage'], { indexFile }))
  const changes: TreeChange[] = []
  for (const line of staged.filter((entry) => entry.startsWith(submoduleMode))) {
    const [, commit = '', path = ''] = /^\d+ ([0-9a-f]+) \d\t(.+)$/su.exec(line) ?? []
    changes.push(...(await filesOfSubmodule(repository, path, commit, isNested)))
  }
  return changes
}

async function filesOfSubmodule(
  repository: Repository,
  path: string,
  commit: string,
  isNested: boolean,
): Promise<readonly TreeChange[]> {
  const root = join(repository.root, path)
  const names = await readdir(root).catch((): string[] => [])
  if (names.length === 0) return []
  if (isNested)
    throw new GitProblem(
      `the submodule ${posix.basename(repository.root)} has a submodule of its own, ${path}, which is not compared`,
    )
  if (!names.includes('.git')) return addedFiles(repository, await filesBelow(repository, path))
  const submodule = await openRepository(root, repository.signal)
  const changes = await listChanges(submodule, commit, true)
  return changes.map((change) => ({
    ...change,
    path: pathFrom(repository, posix.join(path, change.path)),
  }))
}

async function commitsSince(repository: Repository, commit: string): Promise<readonly TreeChange[]> {
  const head = await readHead(repository)
  if (head === undefined || head === commit) return []
  return storedChanges(repository, 'commits', ['diff-tree', '-r', ...diffOptions, commit, head, '--'])
}

async function storedChanges(
  repository: Repository,
  place: 'index' | 'commits',
  words: readonly string[],
): Promise<readonly TreeChange[]> {
  const records = readDiffRecords(await git(repository, words))
  const ids = records.filter(hasNewBlob).map(({ newId }) => newId)
  const sizes = ids.length === 0 ? '' : await git(repository, sizeOf, { stdin: `${ids.join('\n')}\n` })
  const bytesOf = new Map(sizes.split('\n').map((line, index) => [ids[index], Number(line)]))
  return records.map((record) => ({
    path: pathFrom(repository, record.path),
    kind: kindOf(record),
    place,
    addedLines: record.addedLines ?? 0,
    removedLines: record.removedLines ?? 0,
    binary: record.addedLines === undefined,
    bytes: bytesOf.get(record.newId) ?? 0,
  }))
}

const sizeOf = ['cat-file', '--batch-check=%(objectsize)', '--buffer']

function hasNewBlob({ newMode, newId }: DiffRecord): boolean {
  return newMode !== submoduleMode && /[1-9a-f]/u.test(newId)
}

function kindOf({ status }: DiffRecord): TreeChange['kind'] {
  if (status === 'A') return 'added'
  return status === 'D' ? 'removed' : 'changed'
}

function pathFrom({ prefix }: Repository, path: string): string {
  return posix.relative(prefix, path) || '.'
}
