import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { collectTrees, type CollectOptions } from './collect.ts'
import { assertGit, runOwnGit } from './git.ts'
import { layTree, type LayOptions } from './lay.ts'
import {
  encodePack,
  encodeTrees,
  hashBlob,
  type NewObject,
  type ObjectId,
  type TreeFile,
  type TreeFiles,
} from './objects.ts'
import { foldersAbove, SnapshotError, textOf, writeWhole, type BytePath } from '../paths.ts'
import { readObjectsNow, readTreeFiles } from './read-objects.ts'

/** Trees in our own git repository, without index or lock; `collect` removes drafts of killed processes. */
export interface Trees {
  /** @param read is checked against the id @throws {GitNeededError} @throws {SnapshotError} if it differs */
  store(files: SizedFiles, read: (path: BytePath) => Uint8Array, signal: AbortSignal): Promise<ObjectId>
  /** Applies an overlay; null deletes a file. A file may replace a folder, and vice versa. */
  mix(tree: ObjectId, overlay: Overlay, signal: AbortSignal): Promise<ObjectId>
  /** @throws {SnapshotError} if missing or damaged */
  list(tree: ObjectId, signal: AbortSignal): Promise<TreeFiles>
  /** Synchronous, for few contents. @throws {SnapshotError} if missing or damaged */
  read(object: ObjectId): Buffer
  /** The same for many: later reads find them in memory. */
  prefetch(objects: Iterable<ObjectId>): void
  /**
   * Makes a folder exactly the tree, leaving equal files untouched for build tools.
   * @throws {SnapshotError} if content is missing or damaged: the folder is then incomplete
   */
  lay(tree: ObjectId, folder: string, options: LayOptions): Promise<void>
  /** Protects a tree from collection under a name (letters, digits, `-`, `_`); null ends it. */
  keep(name: string, tree: ObjectId | null): void
  /** Removes what nothing keeps. */
  collect(options: CollectOptions): Promise<void>
}

/** Larger files are stored by id only. */
export const maxStoredBytes = 16 * 1024 * 1024

export interface SizedFile extends TreeFile {
  readonly sizeBytes: number
}

export type SizedFiles = ReadonlyMap<BytePath, SizedFile>

/** Replaces files of a tree. */
export interface OverlayFile {
  readonly kind: 'file' | 'symlink'
  readonly content: Uint8Array
  /** Permission bits. */
  readonly mode: number
}

export type Overlay = ReadonlyMap<BytePath, OverlayFile | null>

/** @param stateFolder outside of all work folders, and not writable for agents */
export function openTrees(stateFolder: string): Trees {
  const gitFolder = join(stateFolder, 'trees.git')
  const objects = new Objects(gitFolder)
  const known = new Map<ObjectId, TreeFiles>()
  const remember = (tree: ObjectId, files: TreeFiles) => {
    const [oldest] = known.keys()
    if (known.size >= maxKnownTrees && oldest !== undefined) known.delete(oldest)
    known.set(tree, files)
  }
  const list = async (tree: ObjectId, signal: AbortSignal) => {
    const files = known.get(tree) ?? (await readTreeFiles(gitFolder, tree, signal))
    remember(tree, files)
    return files
  }
  const storeFiles = async (files: TreeFiles, blobs: readonly StoredObject[], signal: AbortSignal) => {
    const { root, trees } = encodeTrees(files)
    await objects.add([...blobs, ...[...trees].map(([id, content]) => treeOf(id, content))], signal)
    remember(root, files)
    return root
  }
  return {
    list,
    store: (files, read, signal) =>
      storeFiles(
        files,
        [...files].flatMap(([path, file]) => blobAt(path, file, read)),
        signal,
      ),
    async mix(tree, overlay, signal) {
      if (overlay.size === 0) return tree
      const files = mixFiles(await list(tree, signal), overlay)
      const blobs = [...overlay.values()].flatMap((file) => (file === null ? [] : blobOf(file)))
      return storeFiles(files, blobs, signal)
    },
    read: (id) => objects.read(id),
    prefetch: (ids) => objects.prefetch(ids),
    async lay(tree, folder, options) {
      await layTree(gitFolder, await list(tree, options.signal), folder, options)
    },
    keep(name, tree) {
      const file = join(gitFolder, 'refs', 'donecheck', name)
      if (tree === null) rmSync(file, { force: true })
      else writeWhole(file, `${tree}\n`)
    },
    collect: (options) => (existsSync(gitFolder) ? collectTrees(gitFolder, options) : Promise.resolve()),
  }
}

/** Cached listings: reading one again costs a process. */
const maxKnownTrees = 4

interface StoredObject {
  readonly id: ObjectId
  readonly kind: NewObject['kind']
  readonly sizeBytes: number
  /** @throws {SnapshotError} if it does not match its id */
  readonly read: () => Uint8Array
}

function treeOf(id: ObjectId, content: Buffer): StoredObject {
  return { id, kind: 'tree', sizeBytes: content.length, read: () => content }
}

function blobAt(
  path: BytePath,
  file: SizedFile,
  read: (path: BytePath) => Uint8Array,
): readonly StoredObject[] {
  const { object: id, sizeBytes } = file
  if (sizeBytes > maxStoredBytes) return []
  const readSame = () => {
    const content = read(path)
    if (hashBlob(content) === id) return content
    throw new SnapshotError(`${textOf(path)} was changed while it was looked at`)
  }
  return [{ id, kind: 'blob', sizeBytes, read: readSame }]
}

function blobOf({ content }: OverlayFile): StoredObject {
  return { id: hashBlob(content), kind: 'blob', sizeBytes: content.byteLength, read: () => content }
}

function mixFiles(files: TreeFiles, overlay: Overlay): TreeFiles {
  const laid = new Set([...overlay].flatMap(([path, file]) => (file === null ? [] : [path])))
  const parents = new Set([...laid].flatMap(foldersAbove))
  const isCovered = (path: BytePath) =>
    overlay.has(path) || parents.has(path) || foldersAbove(path).some((parent) => laid.has(parent))
  const mixed = new Map([...files].filter(([path]) => !isCovered(path)))
  for (const [path, file] of overlay)
    if (file !== null) mixed.set(path, { kind: file.kind, mode: file.mode, object: hashBlob(file.content) })
  return mixed
}

/** Bytes per pack, to fit into memory. */
const packBytes = 64 * 1024 * 1024

/** The objects of a repository, which is made when the first one is stored. */
class Objects {
  readonly #gitFolder: string
  readonly #stored = new Set<ObjectId>()
  readonly #read = new Map<ObjectId, Buffer>()
  #isReady = false

  constructor(gitFolder: string) {
    this.#gitFolder = gitFolder
  }

  async add(objects: readonly StoredObject[], signal: AbortSignal): Promise<void> {
    const isNew = this.#makeReady()
    const open = new Map(
      objects.filter(({ id }) => !this.#stored.has(id)).map((object) => [object.id, object]),
    )
    for (const id of isNew ? [] : await this.#present([...open.keys()], signal)) {
      this.#stored.add(id)
      open.delete(id)
    }
    for (const pack of splitBySize([...open.values()])) {
      const stdin = encodePack(pack.length, readAll(pack))
      await runOwnGit(this.#gitFolder, ['index-pack', '--stdin'], { stdin, signal })
      for (const { id } of pack) this.#stored.add(id)
    }
  }

  read(id: ObjectId): Buffer {
    this.prefetch([id])
    const content = this.#read.get(id)
    if (content !== undefined) return content
    throw new SnapshotError(`the stored content ${id.slice(0, 12)} is missing`)
  }

  prefetch(ids: Iterable<ObjectId>): void {
    const open = [...new Set(ids)].filter((id) => !this.#read.has(id))
    for (const [id, content] of readObjectsNow(this.#gitFolder, open))
      if (content !== null) this.#read.set(id, Buffer.from(content))
  }

  async #present(ids: readonly ObjectId[], signal: AbortSignal): Promise<readonly ObjectId[]> {
    if (ids.length === 0) return []
    const stdin = [ids.map((id) => `${id}\n`).join('')]
    const listed = await runOwnGit(this.#gitFolder, ['cat-file', '--batch-check=%(objectname)'], {
      stdin,
      signal,
    })
    const lines = listed.toString('latin1').split('\n')
    return lines.filter((line) => line !== '' && !line.endsWith(' missing'))
  }

  /** @returns whether the repository was just created */
  #makeReady(): boolean {
    if (this.#isReady) return false
    const isNew = !existsSync(this.#gitFolder) && makeRepository(this.#gitFolder)
    // Anyone who can write it could name a program in it.
    const file = join(this.#gitFolder, 'config')
    if (readFileSync(file, 'utf8') !== configuration) writeWhole(file, configuration)
    this.#isReady = true
    return isNew
  }
}

function splitBySize(objects: readonly StoredObject[]): readonly (readonly StoredObject[])[] {
  const packs: StoredObject[][] = []
  let [pack, roomBytes]: [StoredObject[], number] = [[], 0]
  for (const object of objects) {
    if (object.sizeBytes > roomBytes || pack.length === 0) {
      pack = []
      roomBytes = packBytes
      packs.push(pack)
    }
    pack.push(object)
    roomBytes -= object.sizeBytes
  }
  return packs
}

function* readAll(objects: readonly StoredObject[]): Generator<NewObject> {
  for (const { kind, read } of objects) yield { kind, content: read() }
}

const configuration = `[core]
\trepositoryformatversion = 1
\tfilemode = true
\tbare = true
\tsharedrepository = 0600
[extensions]
\tobjectformat = sha256
`

/** @returns false if another process was faster */
function makeRepository(gitFolder: string): boolean {
  assertGit()
  mkdirSync(dirname(gitFolder), { recursive: true, mode: 0o700 })
  const draft = `${gitFolder}.${randomUUID()}`
  mkdirSync(draft, { mode: 0o700 })
  try {
    for (const folder of ['objects/pack', 'refs/donecheck'])
      mkdirSync(join(draft, folder), { recursive: true })
    writeFileSync(join(draft, 'HEAD'), 'ref: refs/heads/none\n')
    writeFileSync(join(draft, 'config'), configuration)
    makePrivate(draft)
    renameSync(draft, gitFolder)
    return true
  } catch (error) {
    if (!existsSync(gitFolder)) throw error
    return false
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** While git makes a repository, it does not know for whom it is. */
function makePrivate(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}
