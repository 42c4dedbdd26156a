/** What a turn has used so far, from the record that Gemini CLI keeps of its session: its stream tells it at the end only. */
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { numberIn, payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'
import { addUsage, RecordFile } from '../../protocol/stream/index.ts'
import { given } from '@donecheck/engine/base'
import type { TokenUsage } from '@donecheck/core/budgets'
import type { UsageSoFar } from './steps.ts'

interface SessionLocation {
  readonly id: string
  /** What was recorded before is of earlier turns. */
  readonly sinceMs: number
  readonly environment: Readonly<Record<string, string>>
}

/** The record may be missing, moved, or forged by the agent: then less is known in mid-turn, and as much at the end. */
export function sessionUsage(place: SessionLocation): UsageSoFar {
  const recorded = new RecordedUsage(new Date(place.sinceMs).toISOString())
  let record: RecordFile | undefined
  return async () => {
    const file = record === undefined ? await findSessionFile(place).catch(() => undefined) : undefined
    if (file !== undefined) record = new RecordFile(file)
    recorded.add((await record?.news()) ?? [])
    return recorded.total()
  }
}

async function findSessionFile({ id, environment }: SessionLocation): Promise<string | undefined> {
  const home = environment['GEMINI_CLI_HOME'] ?? environment['HOME'] ?? homedir()
  const projects = join(home, '.gemini', 'tmp')
  const ending = `-${id.slice(0, 8)}.jsonl`
  for (const project of await readdir(projects)) {
    const chats = join(projects, project, 'chats')
    const names = await readdir(chats).catch(() => [])
    const found = names.findLast((name) => name.startsWith('session-') && name.endsWith(ending))
    if (found !== undefined) return join(chats, found)
  }
  return undefined
}

/** A reply stands in the record again whenever more of it is known. */
export class RecordedUsage {
  readonly #since: string
  readonly #usages = new Map<string, TokenUsage>()

  /** @param since in ISO 8601, of UTC: what is older is of earlier turns */
  constructor(since: string) {
    this.#since = since
  }

  add(entries: readonly unknown[]): void {
    for (const entry of entries.map(payloadOf)) {
      const id = textIn(entry, 'id')
      if (entry === undefined || id === undefined || textIn(entry, 'type') !== 'gemini') continue
      if ((textIn(entry, 'timestamp') ?? '') < this.#since) continue
      const usage = usageOf(payloadOf(entry['tokens']) ?? {})
      if (usage !== undefined) this.#usages.set(id, usage)
    }
  }

  /** Of all replies of the model; undefined: there was none. */
  total(): TokenUsage | undefined {
    let sum: TokenUsage | undefined
    for (const usage of this.#usages.values()) sum = addUsage(sum, usage)
    return sum
  }
}

/** Thoughts and the words of tools are counted in the total alone, as in the stream. */
function usageOf(tokens: Payload): TokenUsage | undefined {
  const inputTokens = numberIn(tokens, 'input')
  const spoken = numberIn(tokens, 'output')
  if (inputTokens === undefined || spoken === undefined || inputTokens < 0 || spoken < 0) return undefined
  const cached = numberIn(tokens, 'cached')
  return {
    inputTokens,
    outputTokens: Math.max(spoken, (numberIn(tokens, 'total') ?? 0) - inputTokens),
    ...given({
      cachedInputTokens: cached === undefined || cached < 0 ? undefined : Math.min(cached, inputTokens),
    }),
    estimated: false,
  }
}
