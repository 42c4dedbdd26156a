import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { jsonOf } from '@donecheck/engine/base'

/** More of one record than this is not looked at at once. */
const maxBytes = 32 * 1024 * 1024
const newline = 0x0a

/** Reads what has been added since it was last looked at. A record that cannot be read has nothing new. */
export class RecordFile {
  readonly #path: string
  #offset = 0

  constructor(path: string) {
    this.#path = path
  }

  async skipToEnd(): Promise<void> {
    this.#offset = (await this.#withFile(async (file) => (await file.stat()).size)) ?? this.#offset
  }

  /** The values of whole lines; a line that is being written waits, and one that is no JSON is left out. */
  async news(): Promise<readonly unknown[]> {
    const bytes = await this.#withFile((file) => readFrom(file, this.#offset))
    if (bytes === undefined) return []
    const whole = bytes.subarray(0, bytes.lastIndexOf(newline) + 1)
    // A line that fills a whole look is stepped over: it would be looked at for ever.
    this.#offset += whole.length === 0 && bytes.length === maxBytes ? maxBytes : whole.length
    return whole
      .toString()
      .split('\n')
      .map(jsonOf)
      .filter((value) => value !== undefined)
  }

  /** What is no plain file is not read: it could keep us for ever. */
  async #withFile<Value>(use: (file: FileHandle) => Promise<Value>): Promise<Value | undefined> {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const file = await open(this.#path, flags).catch(() => undefined)
    if (file === undefined) return undefined
    try {
      return (await file.stat()).isFile() ? await use(file) : undefined
    } catch {
      return undefined
    } finally {
      await file.close().catch(() => undefined)
    }
  }
}

async function readFrom(file: FileHandle, offset: number): Promise<Buffer> {
  const { size } = await file.stat()
  const buffer = Buffer.alloc(Math.min(Math.max(0, size - offset), maxBytes))
  const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
  return buffer.subarray(0, bytesRead)
}
