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
  /** `provider/model`, such as `openai/gpt-5`; with a base URL the server's own name. Or an AI SDK model. */
  readonly model: string | Model
  /** URL of an OpenAI-compatible server. */
  readonly baseUrl?: string
  /** Where keys are looked up. Default: the environment of this process. */
  readonly environment?: Environment
  readonly prices?: PriceTable
  /** Spending account. Default: an own one without limits. */
  readonly account?: JudgeAccount
  /** Loads provider packages; for tests and bundlers. */
  readonly packages?: ProviderPackages
}

export const askedModelKeys = optionKeys<ModelToAsk>()('model! baseUrl environment prices account packages')

interface AskedModel {
  readonly name: string
  readonly prices: PricesUsd | null
  readonly account: JudgeAccount
  /** Called lazily, so a run without judging needs no key. Rejects with {@link UsageError} without one. */
  readonly resolve: () => Promise<ResolvedModel>
}

/** @throws {UsageError} for an invalid name or limit, or a cost cap without a known price */
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
  /** US dollars per run. */
  readonly maxCostUsd?: number
  /** Tokens per run, prompts and answers. */
  readonly maxTokens?: number
}

interface Payer {
  readonly runId: string
  /** Events with judge spending of earlier processes. */
  readonly events: readonly RunEvent[]
}

export interface Spending {
  readonly tokens: number
  /** Null if the price is unknown. */
  readonly costUsd: number | null
}

export interface JudgeAccount {
  readonly maxCostUsd: number | null
  /** Reserves the worst case. Returns a text with the reason if it does not fit. */
  reserve(payer: Payer, worst: Spending): Reservation | string
}

interface Reservation {
  /** Books the actual spending and releases the rest. */
  settle(real: Spending): void
}

const keys: OptionKeys<JudgeAccountOptions> = { maxCostUsd: true, maxTokens: true }

interface Balance {
  tokens: number
  costUsd: number
}

/** @throws {UsageError} for an invalid limit */
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
    // A replayed verdict costs nothing again.
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
  /** Including the first. */
  readonly tries: number
  readonly account: JudgeAccount
  readonly payer: Payer
}

type CallResult<Value> =
  | { readonly kind: 'read'; readonly value: Value; readonly spent: Spending }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly spent: Spending }

/** Retries until readable, within tries and time. Never rejects. @param read returns verdict or problem */
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
  /** Milliseconds before the next try; undefined if none would help. */
  readonly waitMs?: (attempt: number) => number
  /** Provider message of a refused request. */
  readonly refusal?: string
  /** Sent to the model with the next try. */
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

/** @returns false if the time was up before */
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

/** Upper bound: real text has fewer tokens. */
function worstTokens(text: string): number {
  const beyondAscii = text.replace(/[ -~\s]/g, '').length
  return Math.ceil((text.length - beyondAscii) / 2 + beyondAscii * 1.5)
}

function worstCase({ instructions, text, maxOutputTokens, prices }: JudgeCall): Spending {
  const usage = { inputTokens: worstTokens(instructions + text), outputTokens: maxOutputTokens }
  return spendingFor(usage, prices)
}

/** Nothing if the provider never accepted the request. */
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
