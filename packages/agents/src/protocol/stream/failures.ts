import type { AgentFailure, FailureKind } from '@donecheck/core/internal/events'
import { given } from '@donecheck/engine/internal/base'
import { resetInText } from '@donecheck/engine/internal/system/models'
import type { TurnEnded } from './agent-signal.ts'

export function configurationFailure(message: string): AgentFailure {
  return failure('configuration', message)
}

export function failedTurn(cause: AgentFailure): TurnEnded {
  return { kind: 'turn-ended', text: '', failure: cause }
}

const statuses: Readonly<Record<number, readonly [FailureKind, hint?: string]>> = {
  401: ['configuration', 'Check its login or key'],
  402: ['configuration', 'The account has no credit left'],
  403: ['configuration', 'Check its login or key'],
  404: ['configuration', 'Check the name of the model and the address'],
  408: ['timeout'],
  409: ['server-error'],
  429: ['rate-limited'],
}

/** @param status of HTTP, 400 or more @param said one sentence without a full stop */
export function providerFailure(status: number, said: string, nowMs = Date.now()): AgentFailure {
  const [kind, hint] = statuses[status] ?? [status >= 500 ? 'server-error' : 'refused']
  if (kind === 'rate-limited') return limitedFailure(said, nowMs)
  return failure(kind, hint === undefined ? said : `${said}. ${hint}`)
}

/** Agents report in text when an account's limit resets. */
function limitedFailure(said: string, nowMs: number): AgentFailure {
  if (!usedUp.test(said)) return failure('rate-limited', said)
  return { ...failure('usage-limited', said), ...given({ resetsAtMs: resetInText(said, nowMs) }) }
}

const usedUp =
  /usage limit|session limit|weekly limit|hit your .{0,40}limit|quota|exhausted your|more credits/i
const unreached =
  /(?:cannot|unable to) connect|fetch failed|stream disconnected|reconnecting|connection (?:error|failed|refused)|error sending request|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN/i
const limited = /rate.?limit|too many requests|overloaded/i
const notLoggedIn = /invalid.{0,10}api.?key|unauthori[sz]ed|not logged in|run \/login/i

/** @param said one sentence without a full stop @returns undefined if the text shows no cause */
export function failureInText(said: string, status?: number, nowMs = Date.now()): AgentFailure | undefined {
  if (usedUp.test(said)) return limitedFailure(said, nowMs)
  if (status !== undefined && status >= 400) return providerFailure(status, said, nowMs)
  if (unreached.test(said)) return networkFailure(said)
  if (limited.test(said)) return failure('rate-limited', said)
  if (notLoggedIn.test(said)) return providerFailure(401, said)
  if (/context (?:window|length)/i.test(said)) return failure('refused', said)
  const reported = /\b(?:status(?: code)?|error|http)[:\s(]{0,3}([45]\d\d)\b/i.exec(said)?.[1]
  return reported === undefined ? undefined : providerFailure(Number(reported), said, nowMs)
}

export function networkFailure(said: string): AgentFailure {
  return failure('network', `${said}. Is the address of its provider right?`)
}

const lasting: readonly FailureKind[] = ['configuration', 'refused']

function failure(kind: FailureKind, message: string): AgentFailure {
  return { kind, message, retryable: !lasting.includes(kind) }
}
