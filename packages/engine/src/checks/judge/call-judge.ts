/** One question to a model: which one, who pays for it, reserved on the judges' account and tried again within one time limit. */
import { optionKeys, UsageError, assertKnownKeys, type OptionKeys, given } from '../../base/index.ts'
import { type PricesUsd, costOf, estimateTokens } from '@donecheck/core/internal/budgets'
import {
  installedPackages,
  parseModelName,
  pricesOf,
  resolveLanguageModel,
  resolveModel,
  type Environment,
  type Model,
  type PriceTable,
  type ProviderPackages,
  type ResolvedModel,
  askModel,
  failureOfBreak,
  settleUsage,
  type ModelAnswer,
  type ModelRequest,
} from '../../system/models/index.ts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { setTimeout as wait } from 'node:timers/promises'
import { retryDelayMs } from '@donecheck/core/internal/state'

export interface ModelToAsk {
  /** `provider/model`, such as `openai/gpt-5`; with a base URL the name that the server has for it. Or a model object of the AI SDK. */
  readonly model: string | Model
  /** Address of a server that speaks the OpenAI protocol. */
  readonly baseUrl?: string
  /** Where keys are looked up. Default: the environment of this process. */
  readonly environment?: Environment
  readonly prices?: PriceTable
  /** What it may spend. Default: an account of its own without bounds. */
  readonly account?: JudgeAccount
  /** How provider packages are loaded; for tests and bundlers. */
  readonly packages?: ProviderPackages
}

export const askedModelKeys = optionKeys<ModelToAsk>()('model! baseUrl environment prices account packages')

interface AskedModel {
  readonly name: string
  readonly prices: PricesUsd | null
  readonly account: JudgeAccount
  /** Only when it is asked: a run that goes on needs no key. Rejects with a {@link UsageError} where one is missing. */
  readonly resolve: () => Promise<ResolvedModel>
}

/**
 * @param bounds by option name
 * @throws {UsageError} for an invalid name or bound, or a cap on cost if the price is unknown
 */
export function askedModel(options: ModelToAsk, bounds: Readonly<Record<string, number>>): AskedModel {
  for (const [key, value] of Object.entries(bounds))
    if (!Number.isInteger(value) || value < 1)
      throw new UsageError(`${key} is ${value}; give a whole number above 0`)
  const { model, baseUrl, environment = process.env, packages = installedPackages } = options
  const { account = judgeAccount() } = options
  const name = nameOf(model, baseUrl)
  const prices = pricesOf(name, options.prices)
  if (prices === null && account.maxCostUsd !== null)
    throw new UsageError(
      `the price of ${name} is unknown, so its cost cannot be bounded: give its prices, or bound its tokens`,
    )
  const resolve = async () =>
    typeof model === 'string'
      ? resolveModel(model, baseUrl, environment, packages)
      : resolveLanguageModel(model)
  return { name, prices, account, resolve }
}

function nameOf(model: string | Model, baseUrl: string | undefined): string {
  if (typeof model !== 'string') return resolveLanguageModel(model).name
  const { provider, model: id } = parseModelName(model, baseUrl !== undefined)
  return `${provider}/${id}`
}

interface JudgeAccountOptions {
  /** US dollars in one run. */
  readonly maxCostUsd?: number
  /** Tokens in one run, those of prompts and answers together. */
  readonly maxTokens?: number
}

interface Payer {
  readonly runId: string
  /** Events that record what its judges spent in earlier processes. */
  readonly events: readonly RunEvent[]
}

export interface Spending {
  readonly tokens: number
  /** Null: the price is unknown. */
  readonly costUsd: number | null
}

export interface JudgeAccount {
  readonly maxCostUsd: number | null
  /** Sets the worst case aside. A text says why not, and then nothing was set aside. */
  reserve(payer: Payer, worst: Spending): Reservation | string
}

interface Reservation {
  /** What it came to; the rest is given back. */
  settle(real: Spending): void
}

const keys: OptionKeys<JudgeAccountOptions> = { maxCostUsd: true, maxTokens: true }

interface Balance {
  tokens: number
  costUsd: number
}

/** @throws {UsageError} for a bound that is none */
export function judgeAccount(options: JudgeAccountOptions = {}): JudgeAccount {
  assertKnownKeys(options, keys, 'judgeAccount')
  for (const [name, bound] of Object.entries(options))
    if (typeof bound !== 'number' || !(bound > 0))
      throw new UsageError(`${name} is ${String(bound)}; give a number above 0, or leave it out`)
  const { maxCostUsd = Infinity, maxTokens = Infinity } = options
  const balances = new Map<string, Balance>()
  return {
    maxCostUsd: options.maxCostUsd ?? null,
    reserve({ runId, events }, worst) {
      const balance = balances.get(runId) ?? spentBefore(events)
      balances.set(runId, balance)
      const worstUsd = worst.costUsd ?? 0
      if (balance.costUsd + worstUsd > maxCostUsd)
        return `the judges' budget of $${maxCostUsd} is used up: $${balance.costUsd.toFixed(4)} are spent or set aside, and this call may cost $${worstUsd.toFixed(4)}`
      if (balance.tokens + worst.tokens > maxTokens)
        return `the judges' budget of ${maxTokens} tokens is used up: ${balance.tokens} are spent or set aside, and this call may take ${worst.tokens}`
      add(balance, worst, 1)
      return {
        settle: (real) => {
          add(balance, worst, -1)
          add(balance, real, 1)
        },
      }
    },
  }
}

function add(balance: Balance, { tokens, costUsd }: Spending, sign: 1 | -1): void {
  balance.tokens += sign * tokens
  balance.costUsd += sign * (costUsd ?? 0)
}

function spentBefore(events: readonly RunEvent[]): Balance {
  const balance: Balance = { tokens: 0, costUsd: 0 }
  for (const event of events) {
    // A verdict that was taken again has not cost anything again.
    const isNew =
      (event.type === 'verdict-given' && !event.verdict.qualifiers.includes('cached')) ||
      event.type === 'reply-judged'
    if (isNew)
      for (const piece of event.verdict.evidence)
        if (piece.kind === 'judge') add(balance, { tokens: piece.tokens ?? 0, costUsd: piece.costUsd }, 1)
  }
  return balance
}

export interface JudgeCall {
  readonly model: ResolvedModel
  readonly prices: PricesUsd | null
  readonly instructions: string
  readonly text: string
  readonly maxOutputTokens: number
  readonly timeoutMs: number
  /** The first one included. */
  readonly tries: number
  readonly account: JudgeAccount
  readonly payer: Payer
}

type CallResult<Value> =
  | { readonly kind: 'read'; readonly value: Value; readonly spent: Spending }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly spent: Spending }

/**
 * Asks until an answer can be read, within the tries and the time of the question. Never rejects.
 * @param read returns why an answer is not understood, or what it says
 */
export async function callJudge<Value extends object>(
  given: JudgeCall,
  read: (text: string) => Value | string,
  signal: AbortSignal,
): Promise<CallResult<Value>> {
  const deadline = AbortSignal.timeout(given.timeoutMs)
  const bounded = AbortSignal.any([signal, deadline])
  let call = given
  let spent: Spending = { tokens: 0, costUsd: call.prices === null ? null : 0 }
  let temperature: number | undefined = 0
  for (let attempt = 1; ; attempt += 1) {
    const reservation = call.account.reserve(call.payer, worstCase(call))
    if (typeof reservation === 'string') return { kind: 'unavailable', reason: reservation, spent }
    const answer = await ask(call, temperature, bounded)
    const real = spendingOf(answer, call)
    reservation.settle(real)
    spent = addSpending(spent, real)
    const outcome =
      answer.brokenBy === undefined ? outcomeOf(answer, read) : brokenOutcome(answer.brokenBy, answer, call)
    if ('value' in outcome) return { kind: 'read', value: outcome.value, spent }
    const isRefusedForTemperature = temperature !== undefined && /temperature/i.test(outcome.refusal ?? '')
    const reason = deadline.aborted ? `it did not answer within ${call.timeoutMs / 1000} s` : outcome.reason
    const mayTryAgain = isRefusedForTemperature || outcome.waitMs !== undefined
    if (bounded.aborted || !mayTryAgain || attempt >= call.tries)
      return { kind: 'unavailable', reason, spent }
    if (isRefusedForTemperature) temperature = undefined
    else if (!(await paused(outcome.waitMs?.(attempt) ?? 0, bounded)))
      return { kind: 'unavailable', reason: outcome.reason, spent }
    if (outcome.hint !== undefined) call = { ...given, text: `${given.text}\n\n${outcome.hint}` }
  }
}

interface NoAnswer {
  readonly reason: string
  /** Milliseconds before the next try. Undefined: none would help. */
  readonly waitMs?: (attempt: number) => number
  /** What the provider says of a request that it refused. */
  readonly refusal?: string
  /** Told to the model with the next try. */
  readonly hint?: string
}

function brokenOutcome(
  cause: Parameters<typeof failureOfBreak>[0],
  answer: ModelAnswer,
  call: JudgeCall,
): NoAnswer {
  const failure = failureOfBreak(cause, answer, { ...call, stallTimeoutMs: call.timeoutMs })
  const { message, retryable } = failure
  const waitMs = (attempt: number) => retryDelayMs(attempt, failure)
  return { reason: message, refusal: message, ...(retryable ? { waitMs } : {}) }
}

function outcomeOf<Value extends object>(
  { reply }: ModelAnswer,
  read: (text: string) => Value | string,
): NoAnswer | { readonly value: Value } {
  const { finish, problem } = reply.end ?? { finish: 'other' }
  if (problem !== undefined) return { reason: problem }
  if (finish === 'length') return { reason: 'its answer was cut off at its length limit' }
  const value = read(reply.text)
  if (typeof value !== 'string') return { value }
  const hint = `Your last answer was not understood: ${value}. Answer again, in the form that is asked for.`
  return { reason: `its verdict is not understood: ${value}`, hint, waitMs: () => 0 }
}

/** False: the time was over before. */
async function paused(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(ms, undefined, { signal })
    return true
  } catch {
    return false
  }
}

function ask(
  { model, instructions, text, maxOutputTokens, timeoutMs }: JudgeCall,
  temperature: number | undefined,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const request: ModelRequest = {
    modelFor: model.modelFor,
    prompt: { instructions, messages: [{ role: 'user', content: text }] },
    tools: [],
    maxOutputTokens,
    stallTimeoutMs: timeoutMs,
    onText: () => undefined,
    ...given({ temperature }),
  }
  return askModel(request, signal)
}

/** Real text has fewer tokens; a script with one or more for each character is counted so. */
function worstTokens(text: string): number {
  const beyondAscii = text.replace(/[ -~\s]/g, '').length
  return Math.ceil((text.length - beyondAscii) / 2 + beyondAscii * 1.5)
}

function worstCase({ instructions, text, maxOutputTokens, prices }: JudgeCall): Spending {
  const usage = { inputTokens: worstTokens(instructions + text), outputTokens: maxOutputTokens }
  return spendingFor(usage, prices)
}

/** Nothing, where the provider never accepted the request. */
function spendingOf({ reply, responded }: ModelAnswer, { instructions, text, prices }: JudgeCall): Spending {
  if (!responded) return { tokens: 0, costUsd: prices === null ? null : 0 }
  const usage = settleUsage(reply.reported, {
    inputTokens: estimateTokens(instructions + text),
    outputTokens: Math.ceil(reply.writtenCharacters / 3.5),
  })
  return spendingFor(usage, prices)
}

function spendingFor(usage: Parameters<typeof costOf>[0], prices: PricesUsd | null): Spending {
  const costUsd = prices === null ? null : costOf(usage, prices)
  return { tokens: usage.inputTokens + usage.outputTokens, costUsd }
}

function addSpending(one: Spending, other: Spending): Spending {
  const costUsd = one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd
  return { tokens: one.tokens + other.tokens, costUsd }
}
