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
  /** Given to it where that is permitted; undefined: whoever runs this. */
  readonly owner?: FileOwner
}

/** Every way in which a commit changes the disk. Each rejects with the error of the system. */
export interface FileOperations {
  /** The folder above must exist, this one must not. */
  makeFolder(path: string, mode: number): Promise<void>
  /** The file must not exist, not as a symlink either. */
  writeNew(path: string, file: NewFile): Promise<void>
  /** Replaces what is there. */
  rename(from: string, to: string): Promise<void>
  removeFile(path: string): Promise<void>
  /** The folder must be empty. */
  removeFolder(path: string): Promise<void>
  /** Names in the folder outlive the end of the machine afterwards. */
  syncFolder(path: string): Promise<void>
}

/**
 * On the disk. Only what waits for it is done in the background: for the rest, handing one over costs ten times as much as the
 * question itself, and a commit has dozens of them.
 * @param flush brings what was written to an open file or folder to the disk
 */
export function operationsWith(flush: (descriptor: number) => Promise<void>): FileOperations {
  return {
    async makeFolder(path, mode) {
      mkdirSync(path, { mode })
    },
    async writeNew(path, { bytes, mode, owner }) {
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
      await opened(openSync(path, flags, 0o600), async (descriptor) => {
        writeFileSync(descriptor, bytes)
        // A change of the owner takes away some bits of the mode, so it comes first.
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
    // Not permitted: it belongs to whoever runs this.
  }
}

export function newFileMode(isExecutable = false): number {
  return (isExecutable ? 0o777 : 0o666) & ~ownUmask()
}

/** Patches only know whether a new file may be run; who else may read or write it is for this process to say. */
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

/** Asking Node would set it for a moment. Where the system does not tell it, nobody but the owner may write. */
function ownUmask(): number {
  try {
    const [, digits] = /^Umask:\s*([0-7]+)$/mu.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return digits === undefined ? 0o022 : Number.parseInt(digits, 8)
  } catch {
    return 0o022
  }
}
