/** The record that Codex itself keeps of a thread (its "rollout"): one line of JSON for each thing that happened. */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { payloadOf, type Payload } from '../../protocol/hooks/index.ts'

/** Undefined: there is none. */
export async function findRollout(codexHome: string, threadId: string): Promise<string | undefined> {
  const folder = join(codexHome, 'sessions')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const file = found.find((entry) => entry.isFile() && entry.name.endsWith(`-${threadId}.jsonl`))
  return file === undefined ? undefined : join(file.parentPath, file.name)
}

/** More of one record than this is not looked at at once. */
const maxBytes = 32 * 1024 * 1024

/** Reads what has been added to a record since it was last looked at. A record that cannot be read has nothing new. */
export class RolloutReader {
  readonly #file: string
  #offset = 0

  constructor(file: string) {
    this.#file = file
  }

  /** What is there already is left out. */
  async skipToEnd(): Promise<void> {
    const size = await this.#withFile(async (file) => (await file.stat()).size)
    if (size !== undefined) this.#offset = size
  }

  async news(): Promise<readonly Payload[]> {
    const bytes = await this.#withFile((file) => this.#read(file))
    const whole = bytes?.lastIndexOf(0x0a) ?? -1
    if (bytes === undefined || whole === -1) return []
    this.#offset += whole + 1
    return bytes
      .subarray(0, whole)
      .toString()
      .split('\n')
      .flatMap((line): readonly Payload[] => parseRecord(line))
  }

  async #read(file: Awaited<ReturnType<typeof open>>): Promise<Buffer> {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(Math.max(0, size - this.#offset), maxBytes))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#offset)
    return buffer.subarray(0, bytesRead)
  }

  async #withFile<Value>(
    use: (file: Awaited<ReturnType<typeof open>>) => Promise<Value>,
  ): Promise<Value | undefined> {
    const file = await open(this.#file).catch(() => undefined)
    if (file === undefined) return undefined
    try {
      return await use(file)
    } catch {
      return undefined
    } finally {
      await file.close().catch(() => undefined)
    }
  }
}

function parseRecord(line: string): readonly Payload[] {
  try {
    const record = payloadOf(JSON.parse(line))
    return record === undefined ? [] : [record]
  } catch {
    return []
  }
}
