/** Everything that is not as it is in a commit. */
import { lstatSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join, posix, resolve } from 'node:path'
import { makeScratchFolder, removeScratchFolder } from '../../../system/process/index.ts'
import { git, GitProblem, openRepository, partsOf, plainDiff, readHead, type Repository } from './git.ts'

/** One path that is not as it is in a revision. A renamed file is two of them: one removed, one added. */
export interface TreeChange {
  /** Relative to the folder that is checked, with `/`; one outside of it begins with `../`. */
  readonly path: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** `commits` and `index`: only there; the work tree is as it was. */
  readonly place: 'work-tree' | 'index' | 'commits'
  readonly addedLines: number
  readonly removedLines: number
  /** Its lines count as none. */
  readonly binary: boolean
  /** As it is now; 0 for something removed. */
  readonly bytes: number
}

const submoduleMode = '160000'

/**
 * Every path of the repository that is not as it is in a commit: in the work tree (untracked files too, ignored ones
 * aside), in the index, or in the commits since. The work tree is stored in an index and an object folder of our own: what
 * the repository's index claims (unchanged times, `assume-unchanged`) is not believed, and `skip-worktree` only in a sparse
 * checkout, whose other files are not missing. Submodules are looked into. No filter is run, so a file of large-file
 * storage counts as changed.
 * @throws {GitProblem} also for a submodule that lost its repository
 */
export async function listChanges(repository: Repository, commit: string): Promise<readonly TreeChange[]> {
  const folder = makeScratchFolder('index')
  try {
    const objects = join(folder, 'objects')
    await mkdir(objects)
    const stored = await git(repository, ['rev-parse', '--git-path', 'objects'])
    const variables = {
      GIT_INDEX_FILE: join(folder, 'index'),
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(resolve(repository.root, stored.trim())),
    }
    await git(repository, ['read-tree', commit], { variables })
    const submodules = await storeWorkTree(repository, variables)
    const toIndex = ['diff-index', '--cached', commit, '--']
    const head = await readHead(repository)
    const lists = [
      await readChanges(repository, 'work-tree', toIndex, variables),
      await Promise.all(submodules.map((submodule) => changesOfSubmodule(repository, submodule))),
      await readChanges(repository, 'index', toIndex),
      head === undefined || head === commit
        ? []
        : await readChanges(repository, 'commits', ['diff-tree', '-r', commit, head, '--']),
    ]
    const byPath = new Map<string, TreeChange>()
    for (const change of lists.flat(2)) if (!byPath.has(change.path)) byPath.set(change.path, change)
    return [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
  } finally {
    removeScratchFolder(folder)
  }
}

interface Submodule {
  readonly path: string
  readonly commit: string
}

/** Reads every file into our index. Returns the submodules of the commit, whose files git leaves alone. */
async function storeWorkTree(
  repository: Repository,
  variables: Readonly<Record<string, string>>,
): Promise<readonly Submodule[]> {
  const absent = await pathsLeftOut(repository)
  const staged = partsOf(await git(repository, ['ls-files', '-z', '--stage'], { variables })).map((line) => {
    const [, mode = '', commit = '', path = ''] = /^(\d+) ([0-9a-f]+) \d\t(.+)$/su.exec(line) ?? []
    return { mode, commit, path }
  })
  const others = ['ls-files', '-z', '--others', '--exclude-standard']
  const paths = staged.map(({ path }) => path).filter((path) => !absent.has(path))
  for (const path of partsOf(await git(repository, others, { variables })))
    paths.push(...(path.endsWith('/') ? await filesBelow(repository, path.slice(0, -1)) : [path]))
  const stdin = paths.map((path) => `${path}\0`).join('')
  await git(repository, ['update-index', '-z', '--add', '--remove', '--stdin'], { variables, stdin })
  return staged.filter(({ mode }) => mode === submoduleMode)
}

/** Of a sparse checkout. */
async function pathsLeftOut(repository: Repository): Promise<ReadonlySet<string>> {
  const isSparse = await git(repository, ['config', '--bool', '--default=false', 'core.sparseCheckout'])
  if (isSparse.trim() !== 'true') return new Set()
  const listed = partsOf(await git(repository, ['ls-files', '-z', '-t']))
  const skipped = listed.flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []))
  const isThere = (path: string) =>
    lstatSync(join(repository.root, path), { throwIfNoEntry: false }) !== undefined
  return new Set(skipped.filter((path) => !isThere(path)))
}

/** Git does not look into a repository inside this one. */
async function filesBelow(repository: Repository, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(repository.root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => posix.relative(repository.root, posix.join(entry.parentPath, entry.name)))
    .filter((path) => !path.slice(folder.length).split('/').includes('.git'))
}

/** Git sees of a submodule which commit it is at. We compare its files with the commit that this one names. */
async function changesOfSubmodule(
  repository: Repository,
  { path, commit }: Submodule,
): Promise<readonly TreeChange[]> {
  const root = join(repository.root, path)
  const names = await readdir(root).catch((): string[] => [])
  if (names.length === 0) return []
  if (!names.includes('.git')) throw new GitProblem(`the submodule ${path} has lost its repository`)
  const changes = await listChanges(await openRepository(root, repository.signal), commit)
  return changes.map((change) => ({ ...change, path: pathFrom(repository, posix.join(path, change.path)) }))
}

async function readChanges(
  repository: Repository,
  place: TreeChange['place'],
  [command = '', ...words]: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<readonly TreeChange[]> {
  const options = ['-z', '--raw', '--numstat', '--no-abbrev', '--no-renames', ...plainDiff]
  const asked = [command, ...options, '--ignore-submodules=dirty']
  const records = readDiffRecords(await git(repository, [...asked, ...words], { variables }))
  const sizes = await readSizes(repository, records, variables)
  const changes: TreeChange[] = []
  for (const record of records) {
    const isUnclear = record.addedLines === undefined
    const binary = isUnclear && (await isBinary(repository, record, variables))
    const isText = isUnclear && !binary
    const { addedLines = 0, removedLines = 0 } = isText
      ? countPatch(
          await git(
            repository,
            [
              '--literal-pathspecs',
              command,
              '--patch',
              '--text',
              '--unified=0',
              ...plainDiff,
              ...words,
              record.path,
            ],
            { variables },
          ),
        )
      : record
    const kind = record.status === 'A' ? 'added' : record.status === 'D' ? 'removed' : 'changed'
    const bytes = sizes.get(record.newId) ?? 0
    changes.push({
      ...{ path: pathFrom(repository, record.path), kind, place },
      ...{ addedLines, removedLines, binary, bytes },
    })
  }
  return changes
}

async function readSizes(
  repository: Repository,
  records: readonly DiffRecord[],
  variables: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, number>> {
  const ids = records.flatMap(({ newMode, newId }) =>
    newMode !== submoduleMode && isBlob(newId) ? [newId] : [],
  )
  if (ids.length === 0) return new Map()
  const words = ['cat-file', '--batch-check=%(objectsize)', '--buffer']
  const sizes = await git(repository, words, { variables, stdin: `${ids.join('\n')}\n` })
  return new Map(sizes.split('\n').flatMap((line, index) => [[ids[index] ?? '', Number(line)] as const]))
}

/** Where a NUL stands within so many characters, git and we speak of a binary file. */
const sniffedLength = 8000

/** An attribute of the tree may call a text binary: where git does, we look ourselves. */
async function isBinary(
  repository: Repository,
  { oldId, newId }: DiffRecord,
  variables: Readonly<Record<string, string>>,
): Promise<boolean> {
  for (const id of [newId, oldId].filter(isBlob)) {
    const text = await git(repository, ['cat-file', 'blob', id], { variables })
    if (text.slice(0, sniffedLength).includes('\0')) return true
  }
  return false
}

function countPatch(patch: string): Pick<DiffRecord, 'addedLines' | 'removedLines'> {
  const lines = patch.slice(Math.max(0, patch.search(/^@@/mu))).split('\n')
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length
  return { addedLines: count('+'), removedLines: count('-') }
}

function isBlob(id: string): boolean {
  return /[1-9a-f]/u.test(id)
}

function pathFrom({ prefix }: Repository, path: string): string {
  return posix.relative(prefix, path) || '.'
}

interface DiffRecord {
  readonly path: string
  readonly status: string
  readonly newMode: string
  /** Of the blob before and after; zeros where there is none. */
  readonly oldId: string
  readonly newId: string
  /** Undefined: git takes it for binary. */
  readonly addedLines?: number
  readonly removedLines?: number
}

/** What git prints for `--raw --numstat -z` without renames. @throws {SyntaxError} for anything else */
function readDiffRecords(answer: string): readonly DiffRecord[] {
  const records = new Map<string, DiffRecord>()
  const parts = partsOf(answer)[Symbol.iterator]()
  for (const part of parts) {
    const [, newMode = '', oldId = '', newId = '', status] =
      /^:\d{6} (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/u.exec(part) ?? []
    if (status !== undefined) {
      const path = parts.next().value ?? ''
      records.set(path, { path, status, newMode, oldId, newId })
      continue
    }
    const [, added, removed, path = ''] = /^(-|\d+)\t(-|\d+)\t(.+)$/su.exec(part) ?? []
    const record = records.get(path)
    if (record === undefined)
      throw new SyntaxError(`git answered what is not understood: ${JSON.stringify(part)}`)
    if (added !== '-')
      records.set(path, { ...record, addedLines: Number(added), removedLines: Number(removed) })
  }
  return [...records.values()]
}
