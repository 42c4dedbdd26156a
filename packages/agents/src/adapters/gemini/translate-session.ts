/** What the record of a session of Gemini CLI says of tokens. */
import { addUsage } from '../../protocol/stream/index.ts'
import { numberIn, payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'
import type { TokenUsage } from '@donecheck/core/budgets'

const newline = 0x0a

/** Lines of JSON as they are appended. A reply stands in it again whenever more of it is known. */
export class SessionRecord {
  readonly #since: string
  readonly #usages = new Map<string, TokenUsage>()
  #rest: Buffer = Buffer.alloc(0)

  /** @param since in ISO 8601, of UTC: what is older is of earlier turns */
  constructor(since: string) {
    this.#since = since
  }

  add(piece: Buffer): void {
    const all = Buffer.concat([this.#rest, piece])
    const end = all.lastIndexOf(newline) + 1
    this.#rest = all.subarray(end)
    for (const line of all.subarray(0, end).toString().split('\n')) this.#addLine(line)
  }

  /** Of all replies of the model; undefined: there was none. */
  usage(): TokenUsage | undefined {
    let sum: TokenUsage | undefined
    for (const usage of this.#usages.values()) sum = addUsage(sum, usage)
    return sum
  }

  #addLine(line: string): void {
    const entry = payloadOf(parseLine(line))
    const id = textIn(entry, 'id')
    if (entry === undefined || id === undefined || textIn(entry, 'type') !== 'gemini') return
    if ((textIn(entry, 'timestamp') ?? '') < this.#since) return
    const usage = usageOf(payloadOf(entry['tokens']) ?? {})
    if (usage !== undefined) this.#usages.set(id, usage)
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
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
    ...(cached === undefined || cached < 0 ? {} : { cachedInputTokens: Math.min(cached, inputTokens) }),
    estimated: false,
  }
}
