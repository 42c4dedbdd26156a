/** Why a turn of Codex failed, as a failure of the drive. */
import { given } from '@donecheck/engine/base'
import { epochMs, resetInText } from '@donecheck/engine/models'
import { numberIn, payloadOf, type Payload } from '../../../protocol/hooks/index.ts'
import { providerFailure } from '../../../protocol/stream/index.ts'
import type { DriveFailure } from '@donecheck/core/events'

type Kind = Pick<DriveFailure, 'kind' | 'retryable'>

const serverError: Kind = { kind: 'server-error', retryable: true }
const rateLimited: Kind = { kind: 'rate-limited', retryable: true }
const usedUp: Kind = { kind: 'usage-limited', retryable: true }
const configuration: Kind = { kind: 'configuration', retryable: false }
const refused: Kind = { kind: 'refused', retryable: false }

/** By the name that Codex gives it; the others come from its provider. */
const byName: Readonly<Record<string, Kind>> = {
  contextWindowExceeded: refused,
  sessionBudgetExceeded: refused,
  usageLimitExceeded: usedUp,
  rateLimitExceeded: rateLimited,
  modelNotFound: configuration,
  unauthorized: configuration,
  badRequest: refused,
  sandboxError: configuration,
  inferenceHookDenied: refused,
  cyberPolicy: refused,
  misalignmentPolicyViolation: refused,
  tooManyDenials: refused,
}

/** `codex exec` tells the message alone. */
const byMessage: readonly (readonly [RegExp, Kind])[] = [
  [/usage limit|quota|purchase more credits/i, usedUp],
  [/rate limit|too many requests/i, rateLimited],
  [/unauthorized|not logged in|api key/i, configuration],
  [/context window|context length/i, refused],
  [
    /stream disconnected|connection failed|error sending request|reconnecting/i,
    { kind: 'network', retryable: true },
  ],
]

const maxMessageLength = 2000

/**
 * @param info what the app-server says of it besides: a name, or a name with the status of HTTP below it
 * @param resetsAtMs of the windows of the account that are used up, in milliseconds since the epoch
 */
export function failureOf(
  message: string,
  info?: unknown,
  resetsAtMs?: number,
  nowMs = Date.now(),
): DriveFailure {
  const said = message.trim() === '' ? 'it does not say why' : message.trim().slice(0, maxMessageLength)
  const text = `codex could not go on: ${said.toWellFormed()}`
  const status = statusIn(info) ?? Number(/\bstatus:? ([45]\d\d)\b/.exec(message)?.[1])
  if (status >= 400 && status !== 429) return providerFailure(status, text)
  const kind =
    byName[typeof info === 'string' ? info : ''] ?? byMessage.find(([pattern]) => pattern.test(message))?.[1]
  if (kind?.kind !== 'usage-limited')
    return { ...(kind ?? (status === 429 ? rateLimited : serverError)), message: text }
  // Its words name a minute, its account the second.
  const resets = resetsAtMs !== undefined && resetsAtMs > nowMs ? resetsAtMs : resetInText(message, nowMs)
  return { ...kind, message: text, ...given({ resetsAtMs: resets }) }
}

/** Of the windows of an account that are used up, the last to reset. @param limits as `account/rateLimits/updated` tells them */
export function resetOf(limits: Payload | undefined): number | undefined {
  const windows = [payloadOf(limits?.['primary']), payloadOf(limits?.['secondary'])]
  const resets = windows.flatMap((window) => {
    const resetsAt = window === undefined ? undefined : numberIn(window, 'resetsAt')
    const isUsedUp = window !== undefined && (numberIn(window, 'usedPercent') ?? 0) >= 100
    return isUsedUp && resetsAt !== undefined ? [epochMs(resetsAt)] : []
  })
  return resets.length === 0 ? undefined : Math.max(...resets)
}

function statusIn(info: unknown): number | undefined {
  const [inner] = Object.values(payloadOf(info) ?? {})
  const below = payloadOf(inner)
  return below === undefined ? undefined : numberIn(below, 'httpStatusCode')
}
