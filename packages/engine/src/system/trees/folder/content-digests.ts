import { constants, lstatSync, type Stats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { Buffer } from 'node:buffer'
import { blobHash } from '../store/objects.ts'
import { hashFile } from '../store/lay.ts'
import type { BytePath, FilePath } from '../paths.ts'

export interface ContentReader {
  nowMs(): number
  /** Id of the content in the object store. Rejects if unreadable. */
  digest(file: FilePath, signal: AbortSignal): Promise<string>
}

/** Milliseconds in which a file may be rewritten with the same time stamp. */
const racyMs = 2_000

interface Remembered {
  readonly stats: Stats
  readonly startedAtMs: number
  readonly digest: string
}

/** Digests cached by size, times and inode; `racyMs` covers coarse stamps. Agents can write git's index. */
export class ContentDigests {
  readonly #reader: ContentReader
  #remembered = new Map<BytePath, Remembered>()

  constructor(reader: ContentReader) {
    this.#reader = reader
  }

  /** @param stats read before this call @returns undefined if the content must be read */
  knownDigest(path: BytePath, stats: Stats): string | undefined {
    const known = this.#remembered.get(path)
    if (known === undefined || !isSame(known.stats, stats)) return undefined
    // Mtime can be forged, ctime cannot: the later one counts.
    const latestChangeMs = Math.max(stats.mtimeMs, stats.ctimeMs)
    return latestChangeMs < known.startedAtMs - racyMs ? known.digest : undefined
  }

  async computeDigest(path: BytePath, file: FilePath, stats: Stats, signal: AbortSignal): Promise<string> {
    const known = this.knownDigest(path, stats)
    if (known !== undefined) return known
    const startedAtMs = this.#reader.nowMs()
    const digest = await this.#reader.digest(file, signal)
    this.#remembered.set(path, { stats, startedAtMs, digest })
    return digest
  }

  paths(): Iterable<BytePath> {
    return this.#remembered.keys()
  }

  keepOnly(paths: { has(path: BytePath): boolean }): void {
    for (const path of this.#remembered.keys()) if (!paths.has(path)) this.#remembered.delete(path)
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return (
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.ino === other.ino &&
    one.dev === other.dev
  )
}

const chunkBytes = 1024 * 1024
const safely = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Streams large files; follows no symlink and blocks on no pipe. */
export const fileReader: ContentReader = {
  nowMs: () => Date.now(),
  async digest(file, signal) {
    const { size } = lstatSync(file)
    return size < chunkBytes ? hashFile(file) : digestOfLarge(file, signal)
  },
}

async function digestOfLarge(file: FilePath, signal: AbortSignal): Promise<string> {
  const handle = await open(file, safely)
  try {
    return await digestOfHandle(handle, signal)
  } finally {
    await handle.close()
  }
}

async function digestOfHandle(handle: FileHandle, signal: AbortSignal): Promise<string> {
  const piece = Buffer.allocUnsafe(chunkBytes)
  const whole = blobHash((await handle.stat()).size)
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(piece, 0, piece.length, null)
    if (bytesRead === 0) return whole.digest('hex')
    whole.update(piece.subarray(0, bytesRead))
  }
}
