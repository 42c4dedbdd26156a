import type { DriveFailure, FailureKind } from '@donecheck/core/events'
import { given } from '@donecheck/engine/base'
import { resetInText } from '@donecheck/engine/models'
import type { TurnEnded } from './agent-signal.ts'

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
