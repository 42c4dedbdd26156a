import {
  addUsage,
  fieldOf,
  noUsage,
  numberIn,
  payloadOf,
  reportedUsage,
  textIn,
  usageBeyond,
} from '../host/index.ts'
import {
  configurationFailure,
  failureInText,
  providerFailure,
  type RpcReply,
  type TurnEnded,
} from '../stream/index.ts'
import type { AgentFailure } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'

/** Why the end of a turn is no claim. `end_turn` and `max_tokens` have no problem. */
const problems: Readonly<Record<string, string>> = {
  max_turn_requests: 'the agent reached its own bound on the model requests of one turn',
  refusal: 'the agent refused to go on',
  cancelled: 'the agent says that the turn was cancelled',
}

export function turnEnd(answer: unknown): TurnEnded {
  const ended = { kind: 'turn-ended' as const, text: '' }
  const reason = textIn(answer, 'stopReason')
  if (reason === undefined) return { ...ended, problem: 'the agent ended its turn without a stop reason' }
  if (reason === 'end_turn') return ended
  if (reason === 'max_tokens') return { ...ended, wasCutOff: true }
  const unknown = `the agent ended its turn for a reason that nobody knows: "${reason}"`
  return { ...ended, problem: problems[reason] ?? unknown }
}

const authenticationRequired = -32_000
const maxMessageLength = 2000

/** @param what the request, such as `session/prompt` */
export function failureOf(
  what: string,
  error: Omit<Extract<RpcReply, { kind: 'error' }>, 'kind'>,
): AgentFailure {
  const said = `${error.message}${detailsOf(error.data)}`.slice(0, maxMessageLength).toWellFormed()
  if (error.code === authenticationRequired)
    return configurationFailure(
      `the agent wants somebody to log in first (${said}); start it once by hand and log in, or set its API key`,
    )
  const message = `the agent answered ${what} with an error: ${said}`
  // Unknown method or invalid parameters: a retry would not help.
  const status = error.code === -32_601 || error.code === -32_602 ? 400 : error.code
  return failureInText(message, status < 600 ? status : undefined) ?? providerFailure(500, message)
}

function detailsOf(data: unknown): string {
  const details = typeof data === 'string' ? data : textIn(data, 'details')
  return details === undefined ? '' : `: ${details}`
}

export function usageAtEnd(response: unknown): TokenUsage | undefined {
  const usage = payloadOf(fieldOf(response, 'usage'))
  if (usage === undefined) {
    const quota = fieldOf(fieldOf(fieldOf(response, '_meta'), 'quota'), 'token_count')
    return reportedUsage({
      inputTokens: fieldOf(quota, 'input_tokens'),
      outputTokens: fieldOf(quota, 'output_tokens'),
    })
  }
  const outputTokens = numberIn(usage, 'outputTokens')
  const total = numberIn(usage, 'totalTokens') ?? 0
  return reportedUsage({
    // Some agents include cached tokens in the input, others do not; the total always does.
    inputTokens: Math.max(numberIn(usage, 'inputTokens') ?? Number.NaN, total - (outputTokens ?? 0)),
    outputTokens,
    cachedInputTokens: usage['cachedReadTokens'],
    reasoningTokens: usage['thoughtTokens'],
  })
}

export class UsageMeter {
  #context: number | undefined
  #booked: TokenUsage | undefined
  #costUsd: number | undefined

  /** Uses the context size after a reply as that reply's usage. */
  recordUpdate(update: unknown): void {
    const used = numberIn(update, 'used')
    if (used !== undefined) this.#context = Math.max(0, Math.trunc(used))
    const cost = fieldOf(update, 'cost')
    if (textIn(cost, 'currency') === 'USD') this.#costUsd = numberIn(cost, 'amount') ?? this.#costUsd
  }

  get costUsd(): number | undefined {
    return this.#costUsd
  }

  step(): TokenUsage {
    const inputTokens = this.#context ?? 0
    this.#context = undefined
    const usage = { inputTokens, outputTokens: 0, estimated: true }
    this.#booked = addUsage(this.#booked, usage)
    return usage
  }

  /** Usage that the steps did not report; without a total, one more step. */
  rest(total: TokenUsage | undefined): TokenUsage {
    return total === undefined ? this.step() : usageBeyond(total, this.#booked ?? noUsage)
  }
}
