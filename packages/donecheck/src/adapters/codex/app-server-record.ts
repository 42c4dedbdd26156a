import type { RecordedCall, Leaving } from './recorded-calls.ts'
import { RecordedCalls } from './recorded-calls.ts'
import { RolloutReader, rolloutOf } from './rollout.ts'

interface Record {
  readonly reader: RolloutReader
  readonly calls: RecordedCalls
}

/** The records of the threads of one turn: the thread itself, and those of its sub-agents. */
export class ThreadRecords {
  readonly #codexHome: string
  readonly #records = new Map<string, Record | undefined>()

  constructor(codexHome: string) {
    this.#codexHome = codexHome
  }

  /** What is in the record already is left out. */
  async begin(threadId: string, rollout: string | undefined): Promise<void> {
    const record = this.#add(threadId, rollout)
    await record?.reader.skipTo(0)
  }

  /** Calls that have ended since this was asked for last. */
  async ended(threadId: string): Promise<readonly RecordedCall[]> {
    return (await this.#upToDate(threadId))?.calls.takeEnded() ?? []
  }

  async leaving(threadId: string, itemId: string): Promise<Leaving> {
    return (await this.#upToDate(threadId))?.calls.leaving(itemId) ?? { kind: 'unknown' }
  }

  async #upToDate(threadId: string): Promise<Record | undefined> {
    const known = this.#records.get(threadId)
    const record = known ?? this.#add(threadId, await rolloutOf(this.#codexHome, threadId))
    record?.calls.add(await record.reader.news())
    return record
  }

  #add(threadId: string, rollout: string | undefined): Record | undefined {
    if (rollout === undefined) return undefined
    const record = { reader: new RolloutReader(rollout), calls: new RecordedCalls() }
    this.#records.set(threadId, record)
    return record
  }
}
