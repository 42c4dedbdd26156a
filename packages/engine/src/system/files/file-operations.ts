import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
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

/** All disk writes of a commit. Synchronous, because async costs ten times more. Each throws the system's error. */
export const diskOperations = {
  /** The parent must exist, the folder must not. */
  makeFolder: (path: string): void => mkdirSync(path),
  /** Nothing may exist there, not even a symlink. */
  writeNew: (path: string, { bytes, mode, owner }: NewFile): void => {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
    const descriptor = openSync(path, flags, 0o600)
    try {
      writeFileSync(descriptor, bytes)
      // A change of owner clears some mode bits, so it comes first.
      if (owner !== undefined) giveAway(descriptor, owner)
      fchmodSync(descriptor, mode)
    } finally {
      closeSync(descriptor)
    }
  },
  /** Replaces what is there. */
  rename: (from: string, to: string): void => renameSync(from, to),
  removeFile: (path: string): void => unlinkSync(path),
  /** The folder must be empty. */
  removeFolder: (path: string): void => rmdirSync(path),
}

/** Tests let any of them fail. */
export type FileOperations = typeof diskOperations

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
