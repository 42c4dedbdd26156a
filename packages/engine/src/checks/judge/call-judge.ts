/** One question to a model: reserved on the judges' account, tried again after trouble that may pass, within one time limit. */
import { setTimeout as wait } from 'node:timers/promises'
import { costOf, estimateTokens, type PricesUsd } from '@donecheck/core/budgets'
import { retryDelayMs } from '@donecheck/core/state'
import {
  askModel,
  failureOfBreak,
  settleUsage,
  type ModelAnswer,
  type ModelRequest,
  type ResolvedModel,
} from '../../system/models/index.ts'
import type { JudgeAccount, Payer, Spending } from './account.ts'
import { given } from '../../base/index.ts'

export interface JudgeCall {
  readonly model: ResolvedModel
  readonly prices: PricesUsd | null
  readonly instructions: string
  readonly text: string
  readonly schema: ModelRequest['schema']
  readonly maxOutputTokens: number
  readonly timeoutMs: number
  /** The first one included. */
  readonly tries: number
  readonly account: JudgeAccount
  readonly payer: Payer
}

export type CallResult =
  | { readonly kind: 'answered'; readonly text: string; readonly spent: Spending }
  /** Why there is no answer. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly spent: Spending }

/** Never rejects. */
export async function callJudge(call: JudgeCall, signal: AbortSignal): Promise<CallResult> {
  const deadline = AbortSignal.timeout(call.timeoutMs)
  const bounded = AbortSignal.any([signal, deadline])
  let spent: Spending = { tokens: 0, costUsd: call.prices === null ? null : 0 }
  let temperature: number | undefined = 0
  for (let attempt = 1; ; attempt += 1) {
    const reservation = call.account.reserve(call.payer, worstCase(call))
    if (typeof reservation === 'string') return { kind: 'unavailable', reason: reservation, spent }
    const answer = await ask(call, temperature, bounded)
    const real = spendingOf(answer, call)
    reservation.settle(real)
    spent = { tokens: spent.tokens + real.tokens, costUsd: sumOf(spent.costUsd, real.costUsd) }
    if (answer.brokenBy === undefined) return resultOf(answer, spent)
    const failure = failureOfBreak(answer.brokenBy, answer, { ...call, stallTimeoutMs: call.timeoutMs })
    const isRefusedForTemperature = temperature !== undefined && /temperature/i.test(failure.message)
    const reason = deadline.aborted ? `it did not answer within ${call.timeoutMs / 1000} s` : failure.message
    const mayTryAgain = isRefusedForTemperature || failure.retryable
    if (bounded.aborted || !mayTryAgain || attempt >= call.tries)
      return { kind: 'unavailable', reason, spent }
    if (isRefusedForTemperature) temperature = undefined
    else if (!(await paused(retryDelayMs(attempt, failure), bounded)))
      return { kind: 'unavailable', reason: failure.message, spent }
  }
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
  { model, instructions, text, schema, maxOutputTokens, timeoutMs }: JudgeCall,
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
    ...given({ temperature, schema }),
  }
  return askModel(request, signal)
}

function resultOf({ reply }: ModelAnswer, spent: Spending): CallResult {
  const { finish, problem } = reply.end ?? { finish: 'other' }
  if (problem !== undefined) return { kind: 'unavailable', reason: problem, spent }
  if (finish === 'length')
    return { kind: 'unavailable', reason: 'its answer was cut off at its length limit', spent }
  return { kind: 'answered', text: reply.text, spent }
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

function sumOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other
}
