/** The record that Codex itself keeps of a thread (its "rollout"): one line of JSON for each thing that happened. */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { payloadOf, textIn, type Payload } from '../../agents/index.ts'
import type { TokenUsage } from '../../events/index.ts'
import { usageOf } from './thread-usage.ts'

/** Undefined: there is none. */
export async function rolloutOf(codexHome: string, threadId: string): Promise<string | undefined> {
  const folder = join(codexHome, 'sessions')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const file = found.find((entry) => entry.isFile() && entry.name.endsWith(`-${threadId}.jsonl`))
  return file === undefined ? undefined : join(file.parentPath, file.name)
}

/** Bytes at the end of a record in which the latest total stands. */
const lastBytes = 1024 * 1024

/** What the thread had used when its record was last written to. Undefined: the record does not say. */
export async function totalIn(rollout: string): Promise<TokenUsage | undefined> {
  const reader = new RolloutReader(rollout)
  await reader.skipTo(-lastBytes)
  for (const record of (await reader.news()).toReversed()) {
    const payload = payloadOf(record['payload'])
    if (textIn(payload, 'type') !== 'token_count') continue
    const total = usageOf(payloadOf(payload?.['info'])?.['total_token_usage'])
    if (total !== undefined) return total
  }
  return undefined
}

/** More of one record than this is not looked at at once. */
const mostBytes = 32 * 1024 * 1024

/** Reads what has been added to a record since it was last looked at. A record that cannot be read has nothing new. */
export class RolloutReader {
  readonly #file: string
  #offset = 0

  constructor(file: string) {
    this.#file = file
  }

  /** @param place counted from the end where it is not positive */
  async skipTo(place: number): Promise<void> {
    const size = await this.#withFile(async (file) => (await file.stat()).size)
    if (size !== undefined) this.#offset = Math.max(0, place > 0 ? place : size + place)
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
      .flatMap((line): readonly Payload[] => parsed(line))
  }

  async #read(file: Awaited<ReturnType<typeof open>>): Promise<Buffer> {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(Math.max(0, size - this.#offset), mostBytes))
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

function parsed(line: string): readonly Payload[] {
  try {
    const record = payloadOf(JSON.parse(line))
    return record === undefined ? [] : [record]
  } catch {
    return []
  }
}
