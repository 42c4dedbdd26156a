import { z } from 'zod'
import {
  isUnreached,
  networkFailure,
  providerFailure,
  type TurnEnded,
  addUsage,
  noUsage,
} from '../stream/index.ts'
import type { DriveFailure } from '@donecheck/core/events'
import type { Answer } from './connection.ts'
import type { TokenUsage } from '@donecheck/core/budgets'
import { given } from '@donecheck/engine/base'

const response = z.object({ stopReason: z.string() })

/** An end is the agent's claim only where it says `end_turn`. */
export function turnEnd(answer: unknown): TurnEnded {
  const parsed = response.safeParse(answer)
  const ended = { kind: 'turn-ended' as const, text: '' }
  if (!parsed.success) return { ...ended, problem: 'the agent ended its turn without a stop reason' }
  switch (parsed.data.stopReason) {
    case 'end_turn':
      return ended
    case 'max_tokens':
      return { ...ended, wasCutOff: true }
    case 'max_turn_requests':
      return { ...ended, problem: 'the agent reached its own bound on the model requests of one turn' }
    case 'refusal':
      return { ...ended, problem: 'the agent refused to go on' }
    case 'cancelled':
      return { ...ended, problem: 'the agent says that the turn was cancelled' }
    default:
      return {
        ...ended,
        problem: `the agent ended its turn for a reason that nobody knows: "${parsed.data.stopReason}"`,
      }
  }
}

const authenticationRequired = -32_000
const maxMessageLength = 2000

/**
 * An error instead of an answer. The protocol has a code for one cause alone; agents give the status of their provider as
 * code, or say it in words.
 * @param what was asked, such as `session/prompt`
 */
export function failureOf(
  what: string,
  error: Omit<Extract<Answer, { kind: 'refused' }>, 'kind'>,
): DriveFailure {
  const said = `${error.message}${detailsOf(error.data)}`.slice(0, maxMessageLength).toWellFormed()
  if (error.code === authenticationRequired)
    return {
      kind: 'configuration',
      message: `the agent wants somebody to log in first (${said}); start it once by hand and log in, or set its API key`,
      retryable: false,
    }
  const message = `the agent answered ${what} with an error: ${said}`
  if (isUnreached(said))
    return networkFailure(`${message}. It cannot reach its provider: is the address right?`)
  return providerFailure(statusOf(error.code, said), message)
}

function statusOf(code: number, said: string): number {
  if (code >= 400 && code < 600) return code
  // Unknown method, or parameters that it does not take: asking again would not help.
  if (code === -32_601 || code === -32_602) return 400
  if (/rate.?limit|too many requests|overloaded/iu.test(said)) return 429
  if (/invalid.{0,10}api.?key|unauthori[sz]ed/iu.test(said)) return 401
  const reported = /\b(4\d\d|5\d\d)\b/u.exec(said)?.[1]
  return reported === undefined ? 500 : Number(reported)
}

function detailsOf(data: unknown): string {
  const parsed = z
    .union([z.string(), z.object({ details: z.string() }).transform(({ details }) => details)])
    .safeParse(data)
  return parsed.success ? `: ${parsed.data}` : ''
}

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

/** The usage of the whole turn, as reported at its end. Undefined when the agent does not report it. */
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
