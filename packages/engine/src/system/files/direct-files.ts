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
import { dirname } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import type { CompatibleFiles } from '../../analysis/patch/index.ts'
import { codeOf, messageOf } from '../../base/index.ts'

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
