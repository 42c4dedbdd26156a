import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import type { CompatibleFiles } from '../../analysis/patch/index.ts'
import { codeOf, messageOf, realPath } from '../../base/index.ts'

/**
 * The files of this machine, as the reference program handles them: written in place, not confined to any folder, at once
 * and not in the background. For the codex-compatible mode alone.
 */
export const directFiles: CompatibleFiles = {
  async read(path) {
    try {
      if (!statSync(path).isFile()) return { kind: 'failed', problem: `path \`${path}\` is not a file` }
      return { kind: 'read', bytes: withOpenFile(path, constants.O_RDONLY, (file) => readFileSync(file)) }
    } catch (error) {
      return { kind: 'failed', problem: inWordsOfTheReference(error) }
    }
  },

  async write(path, bytes) {
    try {
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC
      withOpenFile(path, flags, (file) => writeFileSync(file, bytes))
      return 'written'
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? 'no-folder' : 'failed'
    }
  },

  async createFolderOf(path) {
    return succeeds(() => mkdirSync(dirname(path), { recursive: true }))
  },

  async remove(path) {
    return succeeds(() => {
      if (statSync(path).isDirectory()) throw new Error(`${path} is a folder`)
      unlinkSync(path)
    })
  },
}

/** Waits for no pipe: without a reader it fails. */
function withOpenFile<Result>(path: string, flags: number, use: (file: number) => Result): Result {
  const file = openSync(path, flags | constants.O_NONBLOCK, 0o666)
  try {
    return use(file)
  } finally {
    closeSync(file)
  }
}

function succeeds(act: () => unknown): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** The reference is linked with another C library than Node, which says some things in other words. */
const messages: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  ENOTDIR: 'Not a directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  ELOOP: 'Symbolic link loop',
  ENAMETOOLONG: 'Filename too long',
  EIO: 'I/O error',
  EMFILE: 'No file descriptors available',
  ENFILE: 'Too many open files in system',
  ENXIO: 'No such device or address',
  ETIMEDOUT: 'Operation timed out',
  EBUSY: 'Resource busy',
}

function inWordsOfTheReference(error: unknown): string {
  const number = error instanceof Error && 'errno' in error ? error.errno : undefined
  if (typeof number !== 'number') return messageOf(error)
  const message = messages[codeOf(error) ?? ''] ?? getSystemErrorMessage(number)
  return `${message} (os error ${Math.abs(number)})`
}

/**
 * The files of this machine, of which every change is only noted. What may not be written is not known before it is tried, and
 * a file that has two hard links counts as two.
 */
export interface RehearsedFiles extends CompatibleFiles {
  /** Absolute paths with links followed, and what would be there afterwards; null: nothing. */
  readonly changed: ReadonlyMap<string, Uint8Array | null>
}

/** For a dry run in the codex-compatible mode. */
export function rehearsedFiles(): RehearsedFiles {
  const changed = new Map<string, Uint8Array | null>()
  const folders = new Set<string>()
  const spotAt = (path: string) => findSpot(path, changed, folders)
  // A link that was removed leads nowhere any more.
  const realOf = (path: string): string => (changed.has(ownName(path)) ? ownName(path) : realPath(path))
  return {
    changed,
    async read(named) {
      const path = realOf(named)
      const bytes = changed.get(path)
      if (bytes instanceof Uint8Array) return { kind: 'read', bytes }
      if (!isNoted(path, changed, folders)) return directFiles.read(path)
      return { kind: 'failed', problem: problemOf(path, await spotAt(path)) }
    },
    async write(named, bytes) {
      const path = realOf(named)
      const [spot, above] = [await spotAt(path), await spotAt(dirname(path))]
      if (spot === 'missing' && above === 'missing') return 'no-folder'
      if (spot === 'folder' || spot === 'blocked') return 'failed'
      changed.set(path, bytes)
      return 'written'
    },
    async createFolderOf(path) {
      const missing: string[] = []
      let folder = dirname(ownName(path))
      let spot = await spotAt(folder)
      for (; spot === 'missing'; spot = await spotAt(folder)) {
        missing.push(folder)
        folder = dirname(folder)
      }
      if (spot !== 'folder') return false
      for (const one of missing) folders.add(one)
      return true
    },
    async remove(named) {
      const path = ownName(named)
      // A link whose file is gone cannot be removed: it leads to nothing.
      const isThere = (await spotAt(realOf(named))) === 'file'
      if (isThere) changed.set(path, null)
      return isThere
    },
  }
}

/** Of the name itself, also where it is a link. */
function ownName(path: string): string {
  return join(realPath(dirname(path)), basename(path))
}

/** Whether anything is noted of it, or of what is above it: else the machine itself is asked. */
function isNoted(path: string, changed: RehearsedFiles['changed'], folders: ReadonlySet<string>): boolean {
  if (changed.has(path) || folders.has(path)) return true
  return dirname(path) !== path && isNoted(dirname(path), changed, folders)
}

/** In the words of the reference. */
function problemOf(path: string, spot: Spot): string {
  if (spot === 'folder') return `path \`${path}\` is not a file`
  return spot === 'blocked' ? 'Not a directory (os error 20)' : 'No such file or directory (os error 2)'
}

/** `blocked`: something above it is a file. */
type Spot = 'file' | 'folder' | 'missing' | 'blocked'

async function findSpot(
  path: string,
  changed: RehearsedFiles['changed'],
  folders: ReadonlySet<string>,
): Promise<Spot> {
  if (folders.has(path)) return 'folder'
  const bytes = changed.get(path)
  if (bytes !== undefined) return bytes === null ? 'missing' : 'file'
  const stats = await stat(path).catch(() => undefined)
  if (stats !== undefined) return stats.isDirectory() ? 'folder' : 'file'
  if (dirname(path) === path) return 'missing'
  const above = await findSpot(dirname(path), changed, folders)
  return above === 'file' || above === 'blocked' ? 'blocked' : 'missing'
}
