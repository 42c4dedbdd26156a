import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  openSync,
  fstatSync,
  readSync,
  closeSync,
  unlinkSync,
  writeFileSync,
  type Dirent,
} from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { blobHash, hashBlob, type ObjectId, type TreeFile, type TreeFiles } from './objects.ts'
import { readObjects } from './read-objects.ts'
import {
  bytePathOf,
  errorCodeOf,
  fileUnder,
  parentOf,
  SnapshotError,
  textOf,
  type BytePath,
  type FilePath,
} from '../paths.ts'

export interface LayOptions {
  /** Whether a path outside the tree stays, with its content. Default: no. */
  readonly mayStay?: (path: string) => boolean
  /** Source folder of the tree: links to it are redirected, and large contents copied from it. */
  readonly original?: string
  readonly signal: AbortSignal
}

const filesAtOnce = 256

export async function layTree(
  gitFolder: string,
  files: TreeFiles,
  folder: string,
  options: LayOptions,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const clearing = new Clearing(files, folder, options)
  await clearing.clear('')
  const paths = new Map<ObjectId, BytePath[]>()
  for (const [path, { object }] of files) if (!clearing.right.has(path)) getOrAdd(paths, object).push(path)
  const write = new Writing(files, folder, options.original)
  await readObjects(
    gitFolder,
    paths.keys(),
    (id, content) => {
      for (const path of paths.get(id) ?? []) write.write(path, content)
      return []
    },
    options.signal,
  )
}

function getOrAdd(paths: Map<ObjectId, BytePath[]>, object: ObjectId): BytePath[] {
  const known = paths.get(object) ?? []
  paths.set(object, known)
  return known
}

class Clearing {
  readonly right = new Set<BytePath>()
  readonly #files: TreeFiles
  readonly #folders = new Set<BytePath>()
  readonly #folder: string
  readonly #options: LayOptions
  #looked = 0

  constructor(files: TreeFiles, folder: string, options: LayOptions) {
    this.#files = files
    this.#folder = folder
    this.#options = options
    for (const path of files.keys())
      for (
        let parent = parentOf(path);
        parent !== '' && !this.#folders.has(parent);
        parent = parentOf(parent)
      )
        this.#folders.add(parent)
  }

  async clear(folder: BytePath): Promise<void> {
    for (const entry of listFolder(fileUnder(this.#folder, folder))) {
      if (this.#looked++ % filesAtOnce === 0) await setImmediate()
      this.#options.signal.throwIfAborted()
      const name = bytePathOf(entry.name)
      const path = folder === '' ? name : `${folder}/${name}`
      if (entry.isDirectory()) await this.#clearFolder(path)
      else this.#clearFile(path)
    }
  }

  async #clearFolder(path: BytePath): Promise<void> {
    const place = fileUnder(this.#folder, path)
    if (this.#files.has(path)) removeAll(place)
    else if (this.#folders.has(path)) await this.clear(path)
    else if (!this.#mayStay(path)) {
      await this.clear(path)
      removeIfEmpty(place)
    }
  }

  #clearFile(path: BytePath): void {
    const file = this.#files.get(path)
    if (file !== undefined && this.#isRight(path, file)) this.right.add(path)
    else if (file !== undefined || this.#folders.has(path) || !this.#mayStay(path))
      unlinkSync(fileUnder(this.#folder, path))
  }

  #mayStay(path: BytePath): boolean {
    return this.#options.mayStay?.(textOf(path)) ?? false
  }

  /** A second hard link would allow changes. */
  #isRight(path: BytePath, { kind, mode, object }: TreeFile): boolean {
    const place = fileUnder(this.#folder, path)
    const stats = lstatSync(place)
    if (kind === 'symlink') return stats.isSymbolicLink() && this.#targetId(place) === object
    const isFile = stats.isFile() && stats.nlink === 1 && (stats.mode & 0o7777) === mode
    return isFile && hashFile(place) === object
  }

  #targetId(place: FilePath): ObjectId {
    const target = readlinkSync(place, 'buffer')
    return hashBlob(leadTo(target, this.#folder, this.#options.original))
  }
}

/** A check may have closed it. */
function listFolder(folder: FilePath): readonly Dirent<Buffer>[] {
  const { mode } = lstatSync(folder)
  if ((mode & 0o700) !== 0o700) chmodSync(folder, mode | 0o700)
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })
}

function removeAll(folder: FilePath): void {
  for (const entry of listFolder(folder)) {
    const place = Buffer.concat([Buffer.from(folder), Buffer.from('/'), entry.name])
    if (entry.isDirectory()) removeAll(place)
    else unlinkSync(place)
  }
  rmdirSync(folder)
}

function removeIfEmpty(place: FilePath): void {
  try {
    rmdirSync(place)
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOTEMPTY') throw error
  }
}

/** Writes into an emptied place. */
class Writing {
  readonly #files: TreeFiles
  readonly #folder: string
  readonly #original: string | undefined
  readonly #made = new Set<BytePath>()

  constructor(files: TreeFiles, folder: string, original: string | undefined) {
    this.#files = files
    this.#folder = folder
    this.#original = original
  }

  write(path: BytePath, content: Buffer | null): void {
    const file = this.#files.get(path)
    if (file === undefined) return
    this.#makeFolder(parentOf(path))
    const place = fileUnder(this.#folder, path)
    if (content === null) this.#copy(path, file)
    else if (file.kind === 'symlink') {
      symlinkSync(leadTo(content, this.#original, this.#folder), place)
      return
    } else writeFileSync(place, content, { flag: 'wx' })
    chmodSync(place, file.mode)
  }

  #makeFolder(path: BytePath): void {
    if (this.#made.has(path)) return
    mkdirSync(fileUnder(this.#folder, path), { recursive: true })
    this.#made.add(path)
  }

  #copy(path: BytePath, { kind, object }: TreeFile): void {
    if (this.#original === undefined || kind !== 'file')
      throw new SnapshotError(`the content of ${textOf(path)} is not stored`)
    const place = fileUnder(this.#folder, path)
    try {
      copyFileSync(
        fileUnder(this.#original, path),
        place,
        constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL,
      )
    } catch (error) {
      throw new SnapshotError(`${textOf(path)} cannot be copied (${errorCodeOf(error)})`)
    }
    if (hashFile(place) !== object) {
      unlinkSync(place)
      throw new SnapshotError(
        `${textOf(path)} was changed since it was looked at, and is too large to be stored`,
      )
    }
  }
}

let piece: Buffer | undefined

/** Follows no symlink and blocks on no pipe. */
export function hashFile(place: FilePath): ObjectId {
  const descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    piece ??= Buffer.allocUnsafeSlow(1024 * 1024)
    const digest = blobHash(fstatSync(descriptor).size)
    for (let length = -1; length !== 0;) {
      length = readSync(descriptor, piece)
      digest.update(piece.subarray(0, length))
    }
    return digest.digest('hex')
  } finally {
    closeSync(descriptor)
  }
}

/** A link that names the one folder, or what is in it, names the other instead. */
function leadTo(target: Buffer, from: string | undefined, to: string | undefined): Buffer {
  const text = target.toString()
  if (from === undefined || to === undefined || !isAbsolute(text)) return target
  const way = relative(from, text)
  return way === '..' || way.startsWith('../') ? target : Buffer.from(join(to, way))
}
