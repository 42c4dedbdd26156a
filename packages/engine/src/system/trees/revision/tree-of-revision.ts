/** The files of a commit as a checkout gives them, without running a program that the project names. */
import { hash } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  findRepository,
  makeScratchFolder,
  removeScratchFolder,
  runGit,
  type Place,
} from '../../process/index.ts'
import type { ObjectId } from '../store/objects.ts'
import type { Trees } from '../store/open-trees.ts'
import { SnapshotError, fileUnder, type BytePath, textOf } from '../paths.ts'
import { storeTree } from '../folder/contents.ts'
import { ContentDigests, fileReader } from '../folder/content-digests.ts'
import { readTree, type TreeEntries } from '../folder/read-tree.ts'
import {
  prefixOf,
  isSparse,
  joinPaths,
  OwnRepository,
  readProjectRepository,
  type ProjectRepository,
} from './own-repository.ts'

export interface RevisionTree {
  readonly commit: string
  readonly tree: TreeEntries
  readonly stored: ObjectId
  /** What a checkout has but this tree lacks. */
  readonly notes: readonly string[]
}

/** A commit's tree as a checkout gives it. @param workFolder real path @throws {SnapshotError} */
export async function treeOfRevision(
  workFolder: string,
  revision: string,
  trees: Trees,
  signal: AbortSignal,
): Promise<RevisionTree> {
  const place = findRepository(workFolder)
  if (place === undefined)
    throw new SnapshotError(`${workFolder} is in no git repository, so there is no revision ${revision}`)
  const prefix = prefixOf(place)
  const root = makeScratchFolder('revision')
  try {
    const { commit, paths, notes } = await layRevision({ place, revision, root, prefix, signal })
    const folder = join(root, relative(place.root, workFolder))
    const own = paths.map((path) => path.slice(prefix.length))
    const tree = await listFiles(folder, own, signal)
    return { commit, tree, stored: await storeTree(trees, folder, tree, signal), notes }
  } finally {
    removeScratchFolder(root)
  }
}

async function listFiles(
  folder: string,
  paths: readonly BytePath[],
  signal: AbortSignal,
): Promise<TreeEntries> {
  const listing = { paths, unreadable: [] }
  return readTree(folder, new ContentDigests(fileReader), signal, () => Promise.resolve(listing))
}

interface LaidRevision {
  readonly commit: string
  /** Files below the root, submodules included. */
  readonly paths: readonly BytePath[]
  /** What a checkout has but this tree lacks. */
  readonly notes: readonly string[]
}

interface Request {
  readonly place: Place
  readonly revision: string
  /** Empty folder that receives repository and files. */
  readonly root: string
  /** Only files below this folder, relative with a trailing `/`; empty: all. */
  readonly prefix: BytePath
  readonly signal: AbortSignal
}

/** Line ends, encodings, LFS, submodules, sparse rules as in the work tree. @throws {SnapshotError} */
async function layRevision(request: Request): Promise<LaidRevision> {
  const { place, revision, root, prefix, signal } = request
  const project = await readProjectRepository(place, signal)
  const commit = await findCommit(project, revision, signal)
  mkdirSync(root, { recursive: true })
  const repository = OwnRepository.create(project, root, signal)
  try {
    await readIndex(repository, commit, prefix)
    await repository.ask(['checkout-index', '--all', '--index'])
  } catch (error) {
    if (error instanceof SnapshotError && isPartial(project))
      throw new SnapshotError(
        `${error.message}; this clone is partial, and donecheck fetches nothing. Fetch the files of that commit first: git archive --output=/dev/null ${revision}`,
      )
    throw error
  }
  const entries = await listIndex(repository)
  const files = entries.filter(({ isSubmodule }) => !isSubmodule).map(({ path }) => path)
  const filtered = await layFilteredFiles(repository, files, revision)
  const submodules = entries.filter(({ isSubmodule }) => isSubmodule)
  const laid = await laySubmodules(repository, submodules, signal)
  const notes = [...filtered, ...laid.notes]
  return { commit, paths: [...files, ...laid.paths], notes }
}

/** @throws {SnapshotError} if the commit is unknown */
async function findCommit(project: ProjectRepository, revision: string, signal: AbortSignal) {
  const words = ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`]
  const { exitCode, stdout, problem } = await runGit(project.place, words, signal, {
    environment: { GIT_NO_LAZY_FETCH: '1' },
  })
  if (exitCode === 0) return stdout.toString().trim()
  const hint = project.isShallow ? '; this clone is shallow. Fetch the rest first: git fetch --unshallow' : ''
  throw new SnapshotError(
    `there is no revision "${revision}" in the repository ${project.place.root} (git: ${problem})${hint}`,
  )
}

const isPartial = ({ settings }: ProjectRepository) =>
  [...settings.keys()].some((name) => name.endsWith('.promisor'))

/** Marks files outside the prefix or sparse checkout in the index. */
async function readIndex(repository: OwnRepository, commit: string, prefix: BytePath): Promise<void> {
  if (isSparse(repository.project)) await readSparseIndex(repository, commit)
  else await repository.ask(['read-tree', commit])
  if (prefix === '') return
  const listed = await repository.list(['ls-files', '-z'])
  await repository.skip(listed.filter((path) => !path.startsWith(prefix)))
}

/** Git applies sparse rules only on checkout, hence a scratch folder. Existing outside files count. */
async function readSparseIndex(repository: OwnRepository, commit: string): Promise<void> {
  const { gitFolder, project } = repository
  const scratch = join(gitFolder, 'scratch')
  mkdirSync(scratch)
  await repository.ask(['read-tree', '-m', '-u', commit], { environment: { GIT_WORK_TREE: scratch } })
  rmSync(scratch, { recursive: true })
  const present = (await listSkipped(repository)).filter(
    (path) => lstatSync(fileUnder(project.place.root, path), { throwIfNoEntry: false }) !== undefined,
  )
  if (present.length > 0)
    await repository.ask(['update-index', '-z', '--no-skip-worktree', '--stdin'], {
      stdin: joinPaths(present),
    })
}

/** Files that the sparse checkout leaves out, relative to the root. */
async function listSkipped(repository: OwnRepository): Promise<readonly BytePath[]> {
  const listed = await repository.list(['ls-files', '-z', '-t'])
  return listed.flatMap((line) => (line.startsWith('S ') ? line.slice(2) : []))
}

interface IndexEntry {
  readonly path: BytePath
  readonly object: string
  readonly isSubmodule: boolean
}

/** Parses `TAG MODE OBJECT STAGE<tab>PATH`. */
async function listIndex(repository: OwnRepository): Promise<readonly IndexEntry[]> {
  const listed = await repository.list(['ls-files', '-z', '-t', '--stage'])
  return listed.flatMap((line) => {
    const tab = line.indexOf('\t')
    const [tag, mode, object = ''] = line.slice(0, tab).split(' ')
    return tag === 'S' ? [] : [{ path: line.slice(tab + 1), object, isSubmodule: mode === '160000' }]
  })
}

/** Includes nested submodules. One that was never initialized has no files. */
async function laySubmodules(
  repository: OwnRepository,
  submodules: readonly IndexEntry[],
  signal: AbortSignal,
): Promise<Pick<LaidRevision, 'paths' | 'notes'>> {
  const paths: BytePath[] = []
  const notes: string[] = []
  const names = submodules.length === 0 ? new Map<string, string>() : await readSubmoduleNames(repository)
  for (const { path, object } of submodules) {
    const place = findSubmodule(repository.project, textOf(path), names.get(textOf(path)))
    if (place === undefined) {
      notes.push(`the submodule ${textOf(path)} is not set up here, so it is not compared`)
      continue
    }
    const root = join(repository.root, textOf(path))
    const laid = await layRevision({ place, revision: object, root, prefix: '', signal }).catch(
      (error: unknown) => {
        if (!(error instanceof SnapshotError)) throw error
        const hint = 'Fetch it first: git submodule update --init --recursive'
        throw new SnapshotError(`the submodule ${textOf(path)} cannot be laid: ${error.message}. ${hint}`)
      },
    )
    paths.push(...laid.paths.map((inner) => `${path}/${inner}`))
    notes.push(...laid.notes.map((note) => `${textOf(path)}: ${note}`))
  }
  return { paths, notes }
}

/** Names by path, as the commit has them. */
async function readSubmoduleNames(repository: OwnRepository): Promise<ReadonlyMap<string, string>> {
  const words = ['config', '-z', '--blob', ':.gitmodules', '--get-regexp', '^submodule\\..*\\.path$']
  const listed = await repository.ask(words).catch(() => '')
  const lines = listed.toString().split('\0').filter(Boolean)
  return new Map(
    lines.map((line) => {
      const [key = '', path = ''] = line.split('\n')
      return [path, key.slice('submodule.'.length, -'.path'.length)]
    }),
  )
}

/** In the work tree, or where git keeps removed ones. */
function findSubmodule(
  { place, file }: ProjectRepository,
  path: string,
  name: string | undefined,
): Place | undefined {
  const root = join(place.root, path)
  const found = findRepository(root)
  if (found?.root === found?.folder && found !== undefined) return found
  const gitFolder = join(file('modules'), name ?? path)
  const isThere = lstatSync(join(gitFolder, 'HEAD'), { throwIfNoEntry: false }) !== undefined
  return isThere ? { folder: gitFolder, root, gitFolder } : undefined
}

/** Git LFS pointer: digest and size of the content. */
const pointer = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.+\n)*?oid sha256:([0-9a-f]{64})\n/u
const maxPointerBytes = 1024

/** @returns notes about LFS pointers @throws {SnapshotError} for missing content or another filter */
async function layFilteredFiles(
  repository: OwnRepository,
  paths: readonly BytePath[],
  revision: string,
): Promise<readonly string[]> {
  const words = ['check-attr', '--cached', '-z', '--stdin', 'filter']
  // Triples of path, attribute, value.
  const answer = await repository.list(words, { stdin: joinPaths(paths) })
  const pointers: string[] = []
  for (let index = 0; index < answer.length; index += 3) {
    const [path = '', , driver = ''] = answer.slice(index, index + 3)
    if (driver === 'lfs') {
      if (layLargeFile(repository, path, revision) === 'pointer') pointers.push(textOf(path))
    } else assertUnfiltered(repository, path, driver)
  }
  if (pointers.length === 0) return []
  return [
    `${pointers.length} files of large-file storage are pointers here: ${pointers.slice(0, 3).join(', ')}`,
  ]
}

function layLargeFile(
  { root, project }: OwnRepository,
  path: BytePath,
  revision: string,
): 'content' | 'pointer' {
  const file = fileUnder(root, path)
  const stats = lstatSync(file)
  if (!stats.isFile() || stats.size > maxPointerBytes) return 'content'
  const laid = readFileSync(file)
  const [, digest = ''] = pointer.exec(laid.toString()) ?? []
  if (digest === '') return 'content'
  const inStore = (folder: string) => join(folder, 'objects', digest.slice(0, 2), digest.slice(2, 4), digest)
  const workFile = fileUnder(project.place.root, path)
  for (const source of [...project.largeFiles.map(inStore), workFile]) {
    const content = readPlainFile(source)
    if (content === undefined || hash('sha256', content) !== digest) continue
    writeFileSync(file, content)
    return 'content'
  }
  if (readPlainFile(workFile)?.equals(laid) === true) return 'pointer'
  throw new SnapshotError(
    `the content of ${textOf(path)} in ${revision} is in large-file storage and not on this machine. Fetch it first: git lfs fetch origin ${revision}`,
  )
}

/** We do not run filters, so a file must equal the work tree's without its filter. */
function assertUnfiltered({ root, project }: OwnRepository, path: BytePath, driver: string): void {
  const programs = ['smudge', 'process'].map((kind) => project.settings.get(`filter.${driver}.${kind}`))
  if (programs.every((program) => program === undefined || program === '' || program === 'cat')) return
  const [laid, now] = [root, project.place.root].map((folder) => readPlainFile(fileUnder(folder, path)))
  if (laid === undefined || now?.equals(laid) === true) return
  throw new SnapshotError(
    `${textOf(path)} passes through the filter "${driver}" of git, a program that donecheck does not run, so its content in the revision is unknown. Leave --baseline out to compare with the start of the run`,
  )
}

function readPlainFile(file: ReturnType<typeof fileUnder>): Buffer | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file) : undefined
}
