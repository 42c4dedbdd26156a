import { copyFileSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { askOwn, bytesOf, namesOf, pathBelow, rawAttributes, type OwnRepository } from './git.ts'

export interface WorkTree {
  readTree(signal?: AbortSignal): Promise<ReadTree>
  /** From the base to that tree, as bytes that `apply` takes; empty: they are the same. */
  patchTo(tree: string): Promise<Buffer>
  /** Writes the files of the base. The folder must be empty. */
  writeBase(): Promise<void>
  apply(patch: Buffer): Promise<string>
  /**
   * What the second patch makes of the base with the first one, over the files as they are: all of it where both fit together,
   * otherwise nothing.
   */
  layOver(before: Buffer, patch: Buffer): Promise<LaidOver>
  /** A commit of that tree on the base: the same for the same words. */
  commit(tree: string, message: string, atMs: number): Promise<string>
  readonly baseTree: string
  readonly repository: Indexed
}

export type LaidOver =
  | { readonly kind: 'laid'; readonly files: readonly string[] }
  /** These were changed otherwise meanwhile. */
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
  /** A patch of the commit with which the work begins: the base is what comes of it. Undefined: none. */
  readonly over?: Buffer | undefined
}

type Indexed = Required<OwnRepository>

/** @throws {FolderError} where the cache does not have the base */
export async function openWorkTree({
  folder,
  stateFolder,
  objectFolder,
  base,
  over,
}: WorkTreePlace): Promise<WorkTree> {
  const gitFolder = join(stateFolder, 'git')
  const repository = { gitFolder, workTree: folder, index: join(stateFolder, 'index') }
  await initOwn(gitFolder)
  mkdirSync(join(gitFolder, 'objects', 'info'), { recursive: true })
  writeFileSync(join(gitFolder, 'objects', 'info', 'alternates'), `${objectFolder}\n`)
  const ask = (words: readonly string[], stdin?: Buffer) =>
    askOwn(repository, words, stdin === undefined ? {} : { stdin })
  const committed = lineOf(await ask(['rev-parse', '--verify', '--end-of-options', `${base}^{tree}`]))
  const baseTree = over === undefined ? committed : await patchedTree(repository, committed, over)
  const links = linksOf(await ask(['ls-tree', '-r', '-z', baseTree]))
  if (!existsSync(repository.index)) {
    await ask(['read-tree', baseTree])
    await forget(repository, [...links.keys()])
  }
  return {
    baseTree,
    repository,
    readTree: (signal) => readTree(repository, folder, links, signal),
    patchTo: (tree) =>
      ask([
        'diff-tree',
        '-p',
        '--binary',
        '--full-index',
        '--no-renames',
        '--no-ext-diff',
        '--no-textconv',
        baseTree,
        tree,
      ]),
    async writeBase() {
      await ask(['checkout-index', '--all', '--force', '--index'])
    },
    async apply(patch) {
      const patched = await patchedTree(repository, baseTree, patch)
      await ask(['read-tree', baseTree])
      await layTree(repository, patched, links)
      return (await readTree(repository, folder, links)).tree
    },
    async layOver(before, patch) {
      const from = await patchedTree(repository, baseTree, before)
      const theirs = await patchedTree(repository, from, patch)
      const { tree: ours } = await readTree(repository, folder, links)
      return layMerged(repository, { parent: base, from, ours, theirs }, links)
    },
    commit: (tree, message, atMs) => commitTree(repository, { tree, parent: base, message, atMs }),
  }
}

/** Through an index of its own: no file is written before the whole of it fits. */
async function patchedTree(repository: Indexed, tree: string, patch: Buffer): Promise<string> {
  if (patch.length === 0) return tree
  const changed = { ...repository, index: `${repository.index}.patched` }
  await askOwn(changed, ['read-tree', tree])
  await askOwn(changed, ['apply', '--cached', '--binary', '--whitespace=nowarn', '-'], { stdin: patch })
  const patched = await writeTree(changed)
  rmSync(changed.index)
  return patched
}

async function layTree(repository: Indexed, tree: string, links: ReadonlyMap<string, string>): Promise<void> {
  await askOwn(repository, ['read-tree', '--reset', '-u', tree])
  await forget(repository, [...links.keys()])
}

interface Merge {
  readonly parent: string
  readonly from: string
  readonly ours: string
  readonly theirs: string
}

/** Three ways, and nothing is written to the folder. */
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

async function layMerged(
  repository: Indexed,
  merge: Merge,
  links: ReadonlyMap<string, string>,
): Promise<LaidOver> {
  const { from, ours, theirs } = merge
  const { tree, conflicts } = await mergeTrees(repository, merge)
  if (conflicts.length > 0) return { kind: 'conflict', files: conflicts }
  if (tree !== ours) {
    if (links.size > 0) await askOwn(repository, ['read-tree', ours])
    await layTree(repository, tree, links)
  }
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

export async function initOwn(gitFolder: string): Promise<void> {
  if (existsSync(join(gitFolder, 'info', 'attributes'))) return
  mkdirSync(dirname(gitFolder), { recursive: true, mode: 0o700 })
  await askOwn({ gitFolder: dirname(gitFolder) }, ['init', '--quiet', '--bare', '--template=', gitFolder], {
    environment: { GIT_DIR: gitFolder },
  })
  mkdirSync(join(gitFolder, 'info'), { recursive: true })
  writeFileSync(join(gitFolder, 'info', 'attributes'), rawAttributes)
}

/** Submodules of the base, by path: they stay what they were, for nobody looks into them. */
function linksOf(listed: Buffer): ReadonlyMap<string, string> {
  return new Map(
    namesOf(listed).flatMap((line) => {
      const tab = line.indexOf('\t')
      const [mode, , object = ''] = line.slice(0, tab).split(' ')
      return mode === '160000' ? [[line.slice(tab + 1), object] as const] : []
    }),
  )
}

async function forget(repository: Indexed, names: readonly string[]): Promise<void> {
  if (names.length > 0)
    await askOwn(repository, ['update-index', '--force-remove', '-z', '--stdin'], { stdin: bytesOf(names) })
}

async function writeTree(repository: Indexed): Promise<string> {
  return lineOf(await askOwn(repository, ['write-tree']))
}

async function readTree(
  repository: Indexed,
  folder: string,
  links: ReadonlyMap<string, string>,
  signal?: AbortSignal,
): Promise<ReadTree> {
  const within = signal === undefined ? {} : { signal }
  const known = namesOf(await askOwn(repository, ['ls-files', '-z'], within))
  const others = namesOf(
    await askOwn(repository, ['ls-files', '--others', '--exclude-standard', '-z'], within),
  )
  const nested = others.filter((name) => name.endsWith('/'))
  const isThere = looker(folder)
  await forget(
    repository,
    known.filter((name) => !isThere(name)),
  )
  const present = [...known.filter(isThere), ...others.filter((name) => !name.endsWith('/'))]
  if (present.length > 0)
    await askOwn(repository, ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
      ...within,
      stdin: bytesOf(present),
    })
  return {
    tree: await treeWithLinks(repository, links),
    nested: nested.filter((name) => !links.has(name.slice(0, -1))),
  }
}

/** A file or a symlink, and no symlink on the way to it. */
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

/** The index itself holds none: git would look into what lies there. */
async function treeWithLinks(repository: Indexed, links: ReadonlyMap<string, string>): Promise<string> {
  if (links.size === 0) return writeTree(repository)
  const names = namesOf(await askOwn(repository, ['ls-files', '-z']))
  const free = [...links].filter(
    ([path]) =>
      !names.some((name) => name === path || name.startsWith(`${path}/`) || path.startsWith(`${name}/`)),
  )
  const whole = { ...repository, index: `${repository.index}.whole` }
  copyFileSync(repository.index, whole.index)
  const stdin = Buffer.from(free.map(([path, object]) => `160000 ${object}\t${path}\0`).join(''), 'latin1')
  await askOwn(whole, ['update-index', '-z', '--index-info'], { stdin })
  const tree = await writeTree(whole)
  rmSync(whole.index)
  return tree
}

function lineOf(answer: Buffer): string {
  return answer.toString().trim()
}
