import type { DriveFailure, FailureKind } from '@donecheck/core/events'
import { given } from '@donecheck/engine/base'
import { resetInText } from '@donecheck/engine/models'
import type { TurnEnded } from './agent-signal.ts'
import type { TokenUsage } from '@donecheck/core/budgets'

export function configurationFailure(message: string): DriveFailure {
  return { kind: 'configuration', message, retryable: false }
}

export function failedTurn(failure: DriveFailure): TurnEnded {
  return { kind: 'turn-ended', text: '', failure }
}

/**
 * What the refusal of a model's provider means, as an agent that has given up tells of it.
 * @param status of HTTP, 400 or more
 * @param said one sentence without a full stop
 */
export function providerFailure(status: number, said: string, nowMs = Date.now()): DriveFailure {
  if (status === 401 || status === 403)
    return failure('configuration', false, `${said}. Check its login or key`)
  if (status === 402) return failure('configuration', false, `${said}. The account has no credit left`)
  if (status === 404)
    return failure('configuration', false, `${said}. Check the name of the model and the address`)
  if (status === 408) return failure('timeout', true, said)
  if (status === 429) return limitedFailure(said, nowMs)
  if (status === 409 || status >= 500) return failure('server-error', true, said)
  return failure('refused', false, said)
}

/** By its words alone: agents say in a sentence when the limit of an account resets. */
export function limitedFailure(said: string, nowMs = Date.now()): DriveFailure {
  if (!usedUp.test(said)) return failure('rate-limited', true, said)
  const resetsAtMs = resetInText(said, nowMs)
  return { ...failure('usage-limited', true, said), ...given({ resetsAtMs }) }
}

const usedUp = /usage limit|session limit|weekly limit|hit your .{0,40}limit|quota|exhausted your/i

/** Whether the text says that a server could not be reached. */
export function isUnreached(text: string): boolean {
  return /cannot connect|unable to connect|fetch failed|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN/i.test(
    text,
  )
}

export function networkFailure(message: string): DriveFailure {
  return failure('network', true, message)
}

function failure(kind: FailureKind, retryable: boolean, message: string): DriveFailure {
  return { kind, message, retryable }
}

export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, estimated: false }

/** The sum. What nobody told of one part cannot be told of the whole, unless that part is empty. */
export function addUsage(before: TokenUsage | undefined, more: TokenUsage): TokenUsage {
  if (before === undefined) return more
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    outputTokens: before.outputTokens + more.outputTokens,
    ...given({
      cachedInputTokens: sumOfParts('cachedInputTokens', 'inputTokens', before, more),
      reasoningTokens: sumOfParts('reasoningTokens', 'outputTokens', before, more),
    }),
    estimated: before.estimated || more.estimated,
  }
}

type Part = 'cachedInputTokens' | 'reasoningTokens'

function sumOfParts(
  part: Part,
  whole: 'inputTokens' | 'outputTokens',
  ...both: readonly TokenUsage[]
): number | undefined {
  const reported = both.map((usage) => usage[part] ?? (usage[whole] === 0 ? 0 : undefined))
  return reported.some((count) => count === undefined) || both.every((usage) => usage[part] === undefined)
    ? undefined
    : reported.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

/** What was used since: of a total that only grows. A total that fell was begun anew. */
export function usageSince(total: TokenUsage, before: TokenUsage | undefined): TokenUsage {
  if (
    before === undefined ||
    total.inputTokens < before.inputTokens ||
    total.outputTokens < before.outputTokens
  )
    return total
  return {
    inputTokens: total.inputTokens - before.inputTokens,
    outputTokens: total.outputTokens - before.outputTokens,
    ...given({
      cachedInputTokens: difference(total.cachedInputTokens, before.cachedInputTokens),
      reasoningTokens: difference(total.reasoningTokens, before.reasoningTokens),
    }),
    estimated: total.estimated,
  }
}

function difference(total: number | undefined, before: number | undefined): number | undefined {
  return total === undefined ? undefined : Math.max(0, total - (before ?? 0))
}
