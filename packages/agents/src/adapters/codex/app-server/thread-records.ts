/** The records that Codex itself keeps of its threads (their "rollouts"). */
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { RecordFile } from '../../../protocol/stream/index.ts'
import { RecordedCalls, type Leaving, type RecordedCall } from './recorded-calls.ts'

interface ThreadRecord {
  readonly reader: RecordFile
  readonly calls: RecordedCalls
}

/** The records of the threads of one turn: the thread itself, and those of its sub-agents. */
export class ThreadRecords {
  readonly #codexHome: string
  readonly #records = new Map<string, ThreadRecord | undefined>()

  /** @param environment of Codex */
  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#codexHome = codexHomeOf(environment)
  }

  /** What is in the record already is left out. */
  async begin(threadId: string, rollout: string | undefined): Promise<void> {
    const record = this.#add(threadId, rollout)
    await record?.reader.skipToEnd()
  }

  /** Calls that have ended since this was asked for last. */
  async takeEndedCalls(threadId: string): Promise<readonly RecordedCall[]> {
    return (await this.#upToDate(threadId))?.calls.takeEnded() ?? []
  }

  async leaving(threadId: string, itemId: string): Promise<Leaving> {
    return (await this.#upToDate(threadId))?.calls.leaving(itemId) ?? { kind: 'unknown' }
  }

  async #upToDate(threadId: string): Promise<ThreadRecord | undefined> {
    const known = this.#records.get(threadId)
    const record = known ?? this.#add(threadId, await findRollout(this.#codexHome, threadId))
    record?.calls.add(await record.reader.news())
    return record
  }

  #add(threadId: string, rollout: string | undefined): ThreadRecord | undefined {
    if (rollout === undefined) return undefined
    const record = { reader: new RecordFile(rollout), calls: new RecordedCalls() }
    this.#records.set(threadId, record)
    return record
  }
}

/** Where Codex keeps its settings and the records of its threads. */
function codexHomeOf(environment: Readonly<Record<string, string | undefined>>): string {
  const { CODEX_HOME: chosen, HOME: home } = environment
  return chosen === undefined || chosen === '' ? join(home ?? homedir(), '.codex') : chosen
}

/** Undefined: there is none. */
export async function findRollout(codexHome: string, threadId: string): Promise<string | undefined> {
  const folder = join(codexHome, 'sessions')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const file = found.find((entry) => entry.isFile() && entry.name.endsWith(`-${threadId}.jsonl`))
  return file === undefined ? undefined : join(file.parentPath, file.name)
}
