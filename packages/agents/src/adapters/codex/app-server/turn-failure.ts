/** Why a turn of Codex failed, as a failure of the drive. */
import { numberIn, payloadOf } from '../../../protocol/hooks/index.ts'
import { providerFailure } from '../../../protocol/stream/index.ts'
import type { DriveFailure } from '@donecheck/core/events'

type Kind = Pick<DriveFailure, 'kind' | 'retryable'>

const serverError: Kind = { kind: 'server-error', retryable: true }
const spent: Kind = { kind: 'rate-limited', retryable: false }
const configuration: Kind = { kind: 'configuration', retryable: false }
const refused: Kind = { kind: 'refused', retryable: false }

/** By the name that Codex gives it; the others come from its provider. */
const byName: Readonly<Record<string, Kind>> = {
  contextWindowExceeded: refused,
  sessionBudgetExceeded: spent,
  usageLimitExceeded: spent,
  rateLimitExceeded: { kind: 'rate-limited', retryable: true },
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
  [/usage limit|quota|purchase more credits/i, spent],
  [/rate limit|too many requests/i, { kind: 'rate-limited', retryable: true }],
  [/unauthorized|not logged in|api key/i, configuration],
  [/context window|context length/i, refused],
  [
    /stream disconnected|connection failed|error sending request|reconnecting/i,
    { kind: 'network', retryable: true },
  ],
]

const maxMessageLength = 2000

/** @param info what the app-server says of it besides: a name, or a name with the status of HTTP below it */
export function failureOf(message: string, info?: unknown): DriveFailure {
  const said = message.trim() === '' ? 'it does not say why' : message.trim().slice(0, maxMessageLength)
  const text = `codex could not go on: ${said.toWellFormed()}`
  const status = statusIn(info) ?? Number(/\bstatus:? ([45]\d\d)\b/.exec(message)?.[1])
  if (status >= 400) return providerFailure(status, text)
  const kind =
    byName[typeof info === 'string' ? info : ''] ?? byMessage.find(([pattern]) => pattern.test(message))?.[1]
  return { ...(kind ?? serverError), message: text }
}

function statusIn(info: unknown): number | undefined {
  const [inner] = Object.values(payloadOf(info) ?? {})
  const below = payloadOf(inner)
  return below === undefined ? undefined : numberIn(below, 'httpStatusCode')
}
