/** What a turn has used, from the little that the protocol tells. */
import { z } from 'zod'
import { addUsage, noUsage } from '../../../protocol/stream/index.ts'
import type { TokenUsage } from '@donecheck/core/budgets'
import { given } from '@donecheck/engine/base'

const count = z.number().int().nonnegative()
const some = count.nullish().catch(undefined)

const endOfTurn = z.object({
  usage: z
    .object({
      inputTokens: count,
      outputTokens: count,
      totalTokens: some,
      cachedReadTokens: some,
      thoughtTokens: some,
    })
    .nullish()
    .catch(undefined),
  _meta: z
    .object({
      quota: z.object({ token_count: z.object({ input_tokens: count, output_tokens: count }) }),
    })
    .nullish()
    .catch(undefined),
})

/** Of a whole turn, as its end tells it. Undefined: it does not. */
export function usageAtEnd(response: unknown): TokenUsage | undefined {
  const parsed = endOfTurn.safeParse(response)
  if (!parsed.success) return undefined
  const { usage, _meta: about } = parsed.data
  if (usage === null || usage === undefined) {
    const quota = about?.quota.token_count
    return quota && { inputTokens: quota.input_tokens, outputTokens: quota.output_tokens, estimated: false }
  }
  const { outputTokens, totalTokens, cachedReadTokens, thoughtTokens } = usage
  // Some count what came from the cache as input, and some beside it; the total holds all of it.
  const inputTokens = Math.max(usage.inputTokens, (totalTokens ?? 0) - outputTokens)
  return {
    inputTokens,
    outputTokens,
    ...given({
      cachedInputTokens: partOf(inputTokens, cachedReadTokens),
      reasoningTokens: partOf(outputTokens, thoughtTokens),
    }),
    estimated: false,
  }
}

/** Undefined: nobody has told it. */
function partOf(whole: number, part: number | null | undefined): number | undefined {
  return typeof part === 'number' ? Math.min(part, whole) : undefined
}

const usageUpdate = z.object({
  used: count,
  cost: z.object({ amount: z.number().nonnegative(), currency: z.string() }).nullish().catch(undefined),
})

export class UsageMeter {
  #context: number | undefined
  #booked: TokenUsage | undefined
  #costUsd: number | undefined

  /** Tokens in the context after a reply: about what that reply has used. */
  recordUpdate(update: unknown): void {
    const parsed = usageUpdate.safeParse(update)
    if (!parsed.success) return
    const { used, cost } = parsed.data
    this.#context = used
    if (cost?.currency === 'USD') this.#costUsd = cost.amount
  }

  /** In the session so far, the turns before included. Undefined: nobody told. */
  get costUsd(): number | undefined {
    return this.#costUsd
  }

  /** Of the replies since the last time: an estimate that lets caps end a turn in flight. */
  step(): TokenUsage {
    const inputTokens = this.#context ?? 0
    this.#context = undefined
    const usage = { inputTokens, outputTokens: 0, estimated: true }
    this.#booked = addUsage(this.#booked, usage)
    return usage
  }

  /** What the steps have not told, of the whole turn; of a turn that tells nothing: one more step. */
  rest(total: TokenUsage | undefined): TokenUsage {
    if (total === undefined) return this.step()
    const { inputTokens, outputTokens } = this.#booked ?? noUsage
    if (inputTokens === 0 && outputTokens === 0) return total
    const left = Math.max(0, total.inputTokens - inputTokens)
    return {
      ...total,
      inputTokens: left,
      outputTokens: Math.max(0, total.outputTokens - outputTokens),
      ...given({ cachedInputTokens: partOf(left, total.cachedInputTokens) }),
    }
  }
}
