import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { promisify } from 'node:util'
import type { ChangedFile, ChangeSet, FileImage } from '../../analysis/patch/index.ts'

export interface FileOwner {
  readonly userId: number
  readonly groupId: number
}

interface NewFile {
  readonly bytes: Uint8Array
  readonly mode: number
  /** Set if permitted; undefined: this process's user. */
  readonly owner?: FileOwner
}

/** All disk writes of a commit. Each rejects with the system's error. */
export interface FileOperations {
  /** The parent must exist, the folder must not. */
  makeFolder(path: string, mode: number): Promise<void>
  /** Nothing may exist there, not even a symlink. */
  writeNew(path: string, file: NewFile): Promise<void>
  /** Replaces what is there. */
  rename(from: string, to: string): Promise<void>
  removeFile(path: string): Promise<void>
  /** The folder must be empty. */
  removeFolder(path: string): Promise<void>
  /** Makes names in the folder survive a machine crash. */
  syncFolder(path: string): Promise<void>
}

/** Disk operations, synchronous except flushes: async costs ten times more. @param flush to disk */
export function operationsWith(flush: (descriptor: number) => Promise<void>): FileOperations {
  return {
    async makeFolder(path, mode) {
      mkdirSync(path, { mode })
    },
    async writeNew(path, { bytes, mode, owner }) {
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
      await opened(openSync(path, flags, 0o600), async (descriptor) => {
        writeFileSync(descriptor, bytes)
        // A change of owner clears some mode bits, so it comes first.
        if (owner !== undefined) giveAway(descriptor, owner)
        fchmodSync(descriptor, mode)
        await flush(descriptor)
      })
    },
    rename: async (from, to) => renameSync(from, to),
    removeFile: async (path) => unlinkSync(path),
    removeFolder: async (path) => rmdirSync(path),
    syncFolder: async (path) => opened(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY), flush),
  }
}

export const diskOperations: FileOperations = operationsWith(promisify(fsync))

async function opened(descriptor: number, use: (descriptor: number) => Promise<void>): Promise<void> {
  try {
    await use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function giveAway(descriptor: number, { userId, groupId }: FileOwner): void {
  try {
    fchownSync(descriptor, userId, groupId)
  } catch {
    // Not permitted: it belongs to this process's user.
  }
}

export function newFileMode(isExecutable = false): number {
  return (isExecutable ? 0o777 : 0o666) & ~ownUmask()
}

/** Patches only know the executable bit; the umask decides the rest. */
export function withNewFileModes(changes: ChangeSet): ChangeSet {
  return changes.map((change) =>
    isNew(change) ? { ...change, after: withoutModeBits(change.after) } : change,
  )
}

function isNew(change: ChangedFile): change is ChangedFile & { readonly after: FileImage } {
  return change.before === null && change.after !== null && change.movedFrom === undefined
}

function withoutModeBits(image: FileImage): FileImage {
  return { ...image, mode: newFileMode((image.mode & 0o100) !== 0) }
}

/** `process.umask()` would set it briefly. If the system does not report it, only the owner may write. */
function ownUmask(): number {
  try {
    const [, digits] = /^Umask:\s*([0-7]+)$/mu.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return digits === undefined ? 0o022 : Number.parseInt(digits, 8)
  } catch {
    return 0o022
  }
}
