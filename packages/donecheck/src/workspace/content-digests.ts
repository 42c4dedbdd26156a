import { createHash } from 'node:crypto'
import { constants, type BigIntStats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { Buffer } from 'node:buffer'
import type { BytePath } from './byte-path.ts'

/** The two things outside that remembering depends on, so that a test can bring its own. */
export interface ContentReader {
  nowMs(): number
  /** SHA-256 of the content, hex. Rejects where it cannot be read. */
  digest(file: Buffer, signal: AbortSignal): Promise<string>
}

/** A file that was written so shortly before it was read may be written again within the same time stamp. */
const racyMs = 2_000

interface Remembered {
  readonly identity: string
  readonly startedAtMs: number
  readonly digest: string
}

/** Content digests, remembered for as long as size, times and inode say that the file is still the same. */
export class ContentDigests {
  readonly #reader: ContentReader
  #remembered = new Map<BytePath, Remembered>()

  constructor(reader: ContentReader) {
    this.#reader = reader
  }

  /** @param stats from before this call: what changes after them is seen the next time */
  async digestOf(path: BytePath, file: Buffer, stats: BigIntStats, signal: AbortSignal): Promise<string> {
    const identity = identityOf(stats)
    const known = this.#remembered.get(path)
    if (known?.identity === identity && latestChangeMs(stats) < known.startedAtMs - racyMs)
      return known.digest
    const startedAtMs = this.#reader.nowMs()
    const digest = await this.#reader.digest(file, signal)
    this.#remembered.set(path, { identity, startedAtMs, digest })
    return digest
  }

  /** Forgets every file that is not among these. */
  keepOnly(paths: ReadonlySet<BytePath>): void {
    for (const path of this.#remembered.keys()) if (!paths.has(path)) this.#remembered.delete(path)
  }
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':')
}

/** Time of modification can be set at will, time of change cannot: the later one counts. */
function latestChangeMs({ mtimeMs, ctimeMs }: BigIntStats): number {
  return Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs)
}

const chunkBytes = 1024 * 1024

/** Reads in pieces, whatever the size; never follows a symlink and never waits for a pipe. */
export const fileReader: ContentReader = {
  nowMs: () => Date.now(),
  async digest(file, signal) {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return await digestOfHandle(handle, signal)
    } finally {
      await handle.close()
    }
  },
}

async function digestOfHandle(handle: FileHandle, signal: AbortSignal): Promise<string> {
  const { size } = await handle.stat()
  const piece = Buffer.allocUnsafe(Math.max(1, Math.min(size + 1, chunkBytes)))
  const hash = createHash('sha256')
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(piece, 0, piece.length, null)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(piece.subarray(0, bytesRead))
  }
}
