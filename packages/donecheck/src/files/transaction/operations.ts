import { constants } from 'node:fs'
import { mkdir, open, rename, rmdir, unlink } from 'node:fs/promises'

export interface FileOwner {
  readonly userId: number
  readonly groupId: number
}

export interface NewFile {
  readonly bytes: Uint8Array
  readonly mode: number
  /** Given to it where that is permitted; undefined: whoever runs this. */
  readonly owner?: FileOwner
}

/** Every way in which a transaction changes the disk. Each rejects with the error of the system. */
export interface FileOperations {
  /** The folder above must exist, this one must not. */
  makeFolder(path: string, mode: number): Promise<void>
  /** The file must not exist, not as a symlink either. */
  writeNew(path: string, file: NewFile): Promise<void>
  /** Replaces what is there. */
  rename(from: string, to: string): Promise<void>
  removeFile(path: string): Promise<void>
  /** It must be empty. */
  removeFolder(path: string): Promise<void>
  /** Names in the folder outlive the end of the machine afterwards. */
  syncFolder(path: string): Promise<void>
}

/** What is written outlives the end of the process and of the machine. */
export const diskOperations: FileOperations = {
  makeFolder: (path, mode) => mkdir(path, { mode }).then(() => undefined),
  writeNew,
  rename,
  removeFile: unlink,
  removeFolder: rmdir,
  syncFolder,
}

async function writeNew(path: string, { bytes, mode, owner }: NewFile): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(path, flags, 0o600)
  try {
    await handle.writeFile(bytes)
    // A change of the owner takes away some bits of the mode, so it comes first.
    if (owner !== undefined) await handle.chown(owner.userId, owner.groupId).catch(() => undefined)
    await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
