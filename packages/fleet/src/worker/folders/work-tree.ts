import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assertGit } from '@donecheck/engine/internal/system/trees'
import { askOwn, bytesOf, namesOf, pathBelow, rawAttributes, type OwnRepository } from './git.ts'

export interface WorkTree {
  readTree(signal?: AbortSignal): Promise<ReadTree>
  /** The binary patch from the base to that tree; empty if equal. */
  patchTo(tree: string): Promise<Buffer>
  /** Writes the files of the base. The folder must be empty. */
  writeBase(): Promise<void>
  apply(patch: Buffer): Promise<string>
  /** Applies the second patch's changes relative to the first, all or nothing. */
  layOver(before: Buffer, patch: Buffer): Promise<LaidOver>
  /** A deterministic commit of that tree on the base. */
  commit(tree: string, message: string, atMs: number): Promise<string>
  readonly baseTree: string
  readonly gitFolder: string
}

export type LaidOver =
  | { readonly kind: 'laid'; readonly files: readonly string[] }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }

interface ReadTree {
  readonly tree: string
  readonly nested: readonly string[]
}

interface WorkTreePlace {
  readonly folder: string
  readonly stateFolder: string
  readonly objectFolder: string
  readonly base: string
  /** A patch of the commit that forms the base. */
  readonly over?: Buffer | undefined
}

interface Base {
  readonly tree: string
  readonly names: readonly string[]
  /** Submodules by path; they are never entered and stay unchanged. */
  readonly links: ReadonlyMap<string, string>
}

type Repository = Required<Omit<OwnRepository, 'index'>>
type Indexed = Required<OwnRepository>

/** @throws {FolderError} if the cache does not have the base */
export async function openWorkTree({
  folder,
  stateFolder,
  objectFolder,
  base: parent,
  over,
}: WorkTreePlace): Promise<WorkTree> {
  const gitFolder = join(stateFolder, 'git')
  const repository = { gitFolder, workTree: folder }
  await initOwn(gitFolder)
  mkdirSync(join(gitFolder, 'objects', 'info'), { recursive: true })
  writeFileSync(join(gitFolder, 'objects', 'info', 'alternates'), `${objectFolder}\n`)
  const committed = lineOf(
    await askOwn(repository, ['rev-parse', '--verify', '--end-of-options', `${parent}^{tree}`]),
  )
  const baseTree = over === undefined ? committed : await patchedTree(repository, committed, over)
  const base = await readBase(repository, baseTree)
  return {
    baseTree,
    gitFolder,
    readTree: (signal) => readTree(repository, base, signal),
    patchTo: (tree) => askOwn(repository, [...patchWords, baseTree, tree]),
    writeBase: () =>
      withIndex(repository, async (indexed) => {
        await readFiles(indexed, base)
        await askOwn(indexed, ['checkout-index', '--all', '--force'])
      }),
    async apply(patch) {
      await layTree(repository, baseTree, await patchedTree(repository, baseTree, patch))
      return (await readTree(repository, base)).tree
    },
    async layOver(before, patch) {
      const from = await patchedTree(repository, baseTree, before)
      const theirs = await patchedTree(repository, from, patch)
      const { tree: ours } = await readTree(repository, base)
      return layMerged(repository, { parent, from, ours, theirs })
    },
    commit: (tree, message, atMs) => commitTree(repository, { tree, parent, message, atMs }),
  }
}

const patchWords = [
  ...['diff-tree', '-p', '--binary', '--full-index'],
  ...['--no-renames', '--no-ext-diff', '--no-textconv'],
]

/** A fresh index per use, free of stale timestamps and locks of killed processes. */
async function withIndex<Result>(
  repository: Repository,
  use: (indexed: Indexed) => Promise<Result>,
): Promise<Result> {
  const index = join(repository.gitFolder, `index-${randomUUID()}`)
  try {
    return await use({ ...repository, index })
  } finally {
    for (const file of [index, `${index}.lock`]) rmSync(file, { force: true })
  }
}

async function readBase(repository: Repository, tree: string): Promise<Base> {
  const links = new Map<string, string>()
  const names: string[] = []
  for (const line of namesOf(await askOwn(repository, ['ls-tree', '-r', '-z', tree]))) {
    const tab = line.indexOf('\t')
    const [mode, , object = ''] = line.slice(0, tab).split(' ')
    if (mode === '160000') links.set(line.slice(tab + 1), object)
    else names.push(line.slice(tab + 1))
  }
  return { tree, names, links }
}

/** Writes nothing unless the full patch applies. */
async function patchedTree(repository: Repository, tree: string, patch: Buffer): Promise<string> {
  if (patch.length === 0) return tree
  return withIndex(repository, async (indexed) => {
    await askOwn(indexed, ['read-tree', tree])
    await askOwn(indexed, ['apply', '--cached', '--binary', '--whitespace=nowarn', '-'], { stdin: patch })
    return writeTree(indexed)
  })
}

/** Leaves equal files untouched. @param from the tree that is in the folder */
async function layTree(repository: Repository, from: string, tree: string): Promise<void> {
  await withIndex(repository, async (indexed) => {
    await askOwn(indexed, ['read-tree', from])
    await askOwn(indexed, ['update-index', '-q', '--refresh'], { mayDiffer: true })
    await askOwn(indexed, ['read-tree', '--reset', '-u', tree])
  })
}

interface Merge {
  readonly parent: string
  readonly from: string
  readonly ours: string
  readonly theirs: string
}

/** A three-way merge that writes nothing to the folder. */
async function mergeTrees(repository: OwnRepository, { parent, from, ours, theirs }: Merge) {
  const message = 'a part'
  const root = await commitTree(repository, { tree: from, parent, message, atMs: 0 })
  const [one, other] = await Promise.all(
    [ours, theirs].map((tree) => commitTree(repository, { tree, parent: root, message, atMs: 0 })),
  )
  const words = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', one ?? '', other ?? '']
  const [tree = '', ...conflicts] = namesOf(await askOwn(repository, words, { mayDiffer: true }))
  return { tree, conflicts: [...new Set(conflicts)].map(textOfName) }
}

async function layMerged(repository: Repository, merge: Merge): Promise<LaidOver> {
  const { from, ours, theirs } = merge
  const { tree, conflicts } = await mergeTrees(repository, merge)
  if (conflicts.length > 0) return { kind: 'conflict', files: conflicts }
  if (tree !== ours) await layTree(repository, ours, tree)
  return { kind: 'laid', files: await namesBetween(repository, from, theirs) }
}

async function namesBetween(repository: OwnRepository, from: string, to: string): Promise<readonly string[]> {
  const listed = await askOwn(repository, ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to])
  return namesOf(listed).map(textOfName)
}

function textOfName(name: string): string {
  return Buffer.from(name, 'latin1').toString()
}

interface OwnCommit {
  readonly tree: string
  readonly parent: string
  readonly message: string
  readonly atMs: number
}

async function commitTree(
  repository: OwnRepository,
  { tree, parent, message, atMs }: OwnCommit,
): Promise<string> {
  const date = `@${Math.floor(atMs / 1000)} +0000`
  const [name, email] = ['donecheck', 'donecheck@localhost']
  const environment = {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
  }
  const words = ['commit-tree', tree, '-p', parent, '-F', '-']
  return lineOf(await askOwn(repository, words, { stdin: message, environment }))
}

/** @throws {GitNeededError} if git is missing or too old */
export async function initOwn(gitFolder: string): Promise<void> {
  assertGit()
  if (existsSync(join(gitFolder, 'info', 'attributes'))) return
  mkdirSync(dirname(gitFolder), { recursive: true, mode: 0o700 })
  await askOwn({ gitFolder: dirname(gitFolder) }, ['init', '--quiet', '--bare', '--template=', gitFolder], {
    environment: { GIT_DIR: gitFolder },
  })
  mkdirSync(join(gitFolder, 'info'), { recursive: true })
  writeFileSync(join(gitFolder, 'info', 'attributes'), rawAttributes)
}

/** Skips submodules, which git would enter. */
async function readFiles(indexed: Indexed, { tree, links }: Base): Promise<void> {
  await askOwn(indexed, ['read-tree', tree])
  if (links.size > 0)
    await askOwn(indexed, ['update-index', '--force-remove', '-z', '--stdin'], {
      stdin: bytesOf(links.keys()),
    })
}

async function writeTree(indexed: Indexed): Promise<string> {
  return lineOf(await askOwn(indexed, ['write-tree']))
}

/** Includes ignored files if the base has them. */
async function readTree(repository: Repository, base: Base, signal?: AbortSignal): Promise<ReadTree> {
  const within = signal === undefined ? {} : { signal }
  const others = await withIndex(repository, async (indexed) => {
    await readFiles(indexed, base)
    return namesOf(await askOwn(indexed, ['ls-files', '--others', '--exclude-standard', '-z'], within))
  })
  const nested = others.filter((name) => name.endsWith('/'))
  const present = [
    ...base.names.filter(looker(repository.workTree)),
    ...others.filter((name) => !name.endsWith('/')),
  ]
  const tree = await withIndex(repository, async (indexed) => {
    const words = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin']
    await askOwn(indexed, words, { ...within, stdin: bytesOf(present) })
    const links = linkLines(base.links, present)
    await askOwn(indexed, ['update-index', '-z', '--index-info'], { stdin: links })
    return writeTree(indexed)
  })
  return { tree, nested: nested.filter((name) => !base.links.has(name.slice(0, -1))) }
}

/** Submodules whose path is not a file now. */
function linkLines(links: ReadonlyMap<string, string>, names: readonly string[]): Buffer {
  const isTaken = (path: string) =>
    names.some((name) => name === path || name.startsWith(`${path}/`) || path.startsWith(`${name}/`))
  const free = [...links].filter(([path]) => !isTaken(path))
  return Buffer.from(free.map(([path, object]) => `160000 ${object}\t${path}\0`).join(''), 'latin1')
}

/** Accepts files and symlinks, but no symlinked parents. */
function looker(folder: string): (name: string) => boolean {
  const folders = new Map<string, boolean>([['', true]])
  const look = (name: string) => lstatSync(pathBelow(folder, name), { throwIfNoEntry: false })
  const isFolder = (name: string): boolean => {
    const known = folders.get(name)
    if (known !== undefined) return known
    const is = isFolder(parentOf(name)) && look(name)?.isDirectory() === true
    folders.set(name, is)
    return is
  }
  return (name) => {
    if (!isFolder(parentOf(name))) return false
    const stats = look(name)
    return stats !== undefined && (stats.isFile() || stats.isSymbolicLink())
  }
}

function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')))
}

function lineOf(answer: Buffer): string {
  return answer.toString().trim()
}
