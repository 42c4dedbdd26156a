/** The files of a work folder as trees of git, through a repository and an index outside of it. */
import { copyFileSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { askOwn, bytesOf, namesOf, pathBelow, rawAttributes, type OwnRepository } from './git.ts'

export interface WorkTree {
  /** Its files now; what git ignores is left out. */
  readTree(signal?: AbortSignal): Promise<ReadTree>
  /** From the base to that tree, as bytes that `apply` takes; empty: they are the same. */
  patchTo(tree: string): Promise<Buffer>
  /** Writes the files of the base; the folder is empty. */
  writeBase(): Promise<void>
  /** Makes of the base what the patch says, and of the folder what came of it. @returns that tree */
  apply(patch: Buffer): Promise<string>
  /** A commit of that tree on the base: the same for the same words. */
  commit(tree: string, message: string, atMs: number): Promise<string>
  readonly baseTree: string
  readonly repository: Indexed
}

export interface ReadTree {
  readonly tree: string
  /** Repositories within it: what stands in them cannot be told from here. */
  readonly nested: readonly string[]
}

export interface WorkTreePlace {
  /** The work folder. */
  readonly folder: string
  /** Private to the worker: the repository and the index come here. */
  readonly stateFolder: string
  /** Objects of the cache that holds the base. */
  readonly objectFolder: string
  /** A commit. */
  readonly base: string
}

type Indexed = Required<OwnRepository>

/** @throws {FolderError} where the cache does not have the base */
export async function openWorkTree({
  folder,
  stateFolder,
  objectFolder,
  base,
}: WorkTreePlace): Promise<WorkTree> {
  const gitFolder = join(stateFolder, 'git')
  const repository = { gitFolder, workTree: folder, index: join(stateFolder, 'index') }
  await initOwn(gitFolder)
  mkdirSync(join(gitFolder, 'objects', 'info'), { recursive: true })
  writeFileSync(join(gitFolder, 'objects', 'info', 'alternates'), `${objectFolder}\n`)
  const ask = (words: readonly string[], stdin?: Buffer) =>
    askOwn(repository, words, stdin === undefined ? {} : { stdin })
  const baseTree = (await ask(['rev-parse', '--verify', '--end-of-options', `${base}^{tree}`]))
    .toString()
    .trim()
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
      await layPatch(repository, baseTree, patch)
      await forget(repository, [...links.keys()])
      return (await readTree(repository, folder, links)).tree
    },
    commit: (tree, message, atMs) => commitTree(repository, { tree, parent: base, message, atMs }),
  }
}

/** Through an index of its own, so that the files are written only once the whole of it fits. */
async function layPatch(repository: Indexed, baseTree: string, patch: Buffer): Promise<void> {
  const changed = { ...repository, index: `${repository.index}.patched` }
  await askOwn(repository, ['read-tree', baseTree])
  copyFileSync(repository.index, changed.index)
  if (patch.length > 0)
    await askOwn(changed, ['apply', '--cached', '--binary', '--whitespace=nowarn', '-'], { stdin: patch })
  const target = await writeTree(changed)
  rmSync(changed.index)
  await askOwn(repository, ['read-tree', '--reset', '-u', target])
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
  const date = `${Math.floor(atMs / 1000)} +0000`
  const [name, email] = ['donecheck', 'donecheck@localhost']
  const environment = {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
  }
  const words = ['commit-tree', tree, '-p', parent, '-F', '-']
  return (await askOwn(repository, words, { stdin: message, environment })).toString().trim()
}

/** A bare repository in which nothing is converted and no template lays anything. */
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
  return (await askOwn(repository, ['write-tree'])).toString().trim()
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
