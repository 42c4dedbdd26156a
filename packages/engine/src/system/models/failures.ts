import { z } from 'zod'
import type { AgentFailure, FailureKind } from '@donecheck/core/internal/events'
import type { BreakCause, ModelAnswer } from './ask-model.ts'
import { resetInHeaders, resetInText } from './reset-time.ts'
import type { ResolvedModel } from './resolve-model.ts'

export interface FailureContext {
  readonly model: string
  readonly keyVariable: string
  readonly responded: boolean
  readonly nowMs: number
}

export function failureOf(fault: Fault, context: FailureContext): AgentFailure {
  const status = refusalOf(fault)
  if (status !== undefined) return byStatus(status, fault, context)
  if (fault.networkCode !== undefined || /fetch failed|cannot connect to api/i.test(fault.message))
    return byNetwork(fault, context)
  if (/terminated|without a finish (reason|chunk)|other side closed/i.test(fault.message))
    return cutOff(fault.message)
  if (/JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody/.test(fault.name))
    return retryable('malformed', `${context.model} answered something that cannot be read: ${fault.message}`)
  if (fault.name.includes('StreamProviderError') || context.responded)
    return retryable('server-error', `${context.model} broke off its answer: ${fault.message}`)
  return final('configuration', `${context.model} cannot be asked: ${fault.message}`)
}

function cutOff(detail: string): AgentFailure {
  return retryable('cut-off', `the reply was cut off in the middle (${detail})`)
}

export function noRoom(fixedTokens: number, contextWindowTokens: number): AgentFailure {
  const message = `instructions and tools alone cost about ${fixedTokens} tokens, which leaves no room for a conversation in a context window of ${contextWindowTokens}: use a model or a server with a larger one and say so with contextWindowTokens`
  return final('configuration', message)
}

const noMoneyLeft = /insufficient_quota|billing/i

const statusWords: readonly (readonly [words: RegExp, status: number])[] = [
  [noMoneyLeft, 402],
  [/rate_?limit|resource_exhausted|too_many_requests/i, 429],
  [/overloaded/i, 529],
  [/context_length_exceeded|invalid_request|invalid_argument/i, 400],
  [/authentication|invalid_api_key|unauthenticated/i, 401],
  [/permission/i, 403],
  [/not_found/i, 404],
  [/server_error|api_error|internal|unavailable/i, 500],
]

/** A broken stream keeps status 200. Errors inside a stream have none, so words are mapped to one. */
function refusalOf({ status, words }: Fault): number | undefined {
  if (status !== undefined && status >= 400) return status
  return statusWords.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1]
}

/** Not every "context": deadlines have one too. */
const tooLong =
  /context[ _-]?(length|window|size|limit)|maximum context|prompt is too long|input is too long|too many (input )?tokens|token count.{0,40}exceeds/i

function byStatus(status: number, fault: Fault, context: FailureContext): AgentFailure {
  const said = `${context.model} answered ${status}: ${fault.message}`
  if (status === 402 || (status === 429 && fault.words.some((word) => noMoneyLeft.test(word))))
    return final('configuration', `${said}. The account of ${context.keyVariable} has no credit left`)
  if (status === 429) return limited(said, fault, context)
  if (status === 401 || status === 403 || (status === 400 && /api.?key/i.test(fault.message)))
    return final('configuration', `${said}. Check the key in ${context.keyVariable}`)
  if (status === 404)
    return final('configuration', `${said}. Check the model's name and the address${addressText(fault)}`)
  if (status === 408) return retryable('timeout', said)
  if (status === 413 || [fault.message, ...fault.words].some((text) => tooLong.test(text)))
    return final(
      'refused',
      `${said}. The prompt is too long for it: say its real size with contextWindowTokens`,
    )
  if (status === 409 || status >= 500)
    return { ...retryable('server-error', said), ...waiting(fault, context) }
  return final('refused', said)
}

function byNetwork(fault: Fault, { model, responded }: FailureContext): AgentFailure {
  const code = fault.networkCode ?? fault.message
  if (/TIMEDOUT|_TIMEOUT$/.test(code)) {
    const wasReached = responded || !/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(code)
    const said = `${model}${addressText(fault)} did not answer in time (${code})`
    return retryable(wasReached ? 'timeout' : 'network', said)
  }
  if (responded) return cutOff(code)
  return retryable(
    'network',
    `${model} cannot be reached${addressText(fault)} (${code}): is the server running?`,
  )
}

function addressText({ address }: Fault): string {
  return address === undefined ? '' : ` at ${address}`
}

function waiting({ headers }: Fault, { nowMs }: FailureContext): Pick<AgentFailure, 'retryAfterMs'> {
  const named = resetInHeaders(headers, nowMs)
  return named === undefined ? {} : { retryAfterMs: named.atMs - nowMs }
}

/** Usage or rate limit. */
function limited(said: string, fault: Fault, context: FailureContext): AgentFailure {
  const { nowMs } = context
  const { headers, body, message, words } = fault
  const named = resetInHeaders(headers, nowMs)
  const text = `${message}\n${body}`
  const isUsed = named?.isUsageLimit === true || usedUp.test(`${words.join(' ')} ${text}`)
  if (!isUsed) return { ...retryable('rate-limited', said), ...waiting(fault, context) }
  const resetsAtMs = named?.atMs ?? resetInText(text, nowMs)
  return { ...retryable('usage-limited', said), ...(resetsAtMs === undefined ? {} : { resetsAtMs }) }
}

const usedUp = /usage[ _]limit|quota|resets_at/i

function retryable(kind: FailureKind, message: string): AgentFailure {
  return { kind, message, retryable: true }
}

function final(kind: FailureKind, message: string): AgentFailure {
  return { kind, message, retryable: false }
}

/** Facts about a thrown provider error. */
export interface Fault {
  readonly message: string
  /** The error class's own name, such as `AI_APICallError`. */
  readonly name: string
  readonly status: number | undefined
  /** Error types from the provider, such as `rate_limit_error`. */
  readonly words: readonly string[]
  readonly networkCode: string | undefined
  /** Origin and path, without user and query. */
  readonly address: string | undefined
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Body of the refusal; empty if none. */
  readonly body: string
}

/** Codes of the system, `fetch` and TLS; other `ERR_` codes are mistakes in the call. */
const networkCodes = /^(E(?!RR_)[A-Z]|UND_ERR_|ERR_(SSL|TLS))/

/** Longer cause chains are circular. */
const maxChainLength = 8
const maxMessageLength = 500
const maxBodyLength = 20_000

const text = z.string().optional().catch(undefined)
const kindWords = z.object({ type: text, code: text, status: text })

/** Fields of the AI SDK's `APICallError`; wrongly typed ones count as absent. */
const thrown = kindWords.extend({
  name: z.string().catch(''),
  message: z.string().catch('no reason given'),
  statusCode: z.number().optional().catch(undefined),
  url: text,
  responseHeaders: z.record(z.string(), z.unknown()).catch({}),
  responseBody: z.string().catch(''),
  data: kindWords
    .extend({ error: kindWords.optional().catch(undefined) })
    .optional()
    .catch(undefined),
  cause: z.unknown(),
})

export function readFault(error: unknown): Fault {
  const outer = fieldsOf(typeof error === 'string' ? { message: error } : error)
  const { name, message, statusCode: status, data, url, responseHeaders, responseBody } = outer
  const words = [outer, data, data?.error].flatMap((at) => [at?.type, at?.code, at?.status])
  const headers = Object.entries(responseHeaders).flatMap(([header, value]) =>
    typeof value === 'string' ? [[header.toLowerCase(), value] as const] : [],
  )
  return {
    message: message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength)} …`,
    ...{ name, status },
    words: words.filter((word) => word !== undefined),
    networkCode: codesOf(outer).find((code) => networkCodes.test(code)),
    address: addressOf(url),
    headers: Object.fromEntries(headers),
    body: responseBody.slice(0, maxBodyLength),
  }
}

/** Reads error fields one by one, because a schema does not see them. */
function fieldsOf(value: unknown): z.infer<typeof thrown> {
  const isObject = typeof value === 'object' && value !== null
  const fields = Object.keys(thrown.shape).map((key): readonly [string, unknown] => [
    key,
    isObject ? Reflect.get(value, key) : undefined,
  ])
  return thrown.parse(Object.fromEntries(fields))
}

function codesOf(outer: z.infer<typeof thrown>): readonly string[] {
  const codes: string[] = []
  let fields = outer
  for (let length = 0; length < maxChainLength; length += 1) {
    if (fields.code !== undefined) codes.push(fields.code)
    fields = fieldsOf(fields.cause)
  }
  return codes
}

function addressOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

export function failureOfBreak(
  cause: BreakCause,
  { responded }: Pick<ModelAnswer, 'responded'>,
  { model, stallTimeoutMs }: { readonly model: ResolvedModel; readonly stallTimeoutMs: number },
): AgentFailure {
  switch (cause.kind) {
    case 'interrupted':
      return retryable('interrupted', 'the model call was broken off')
    case 'stalled':
      return retryable('timeout', `${model.name} sent nothing for ${stallTimeoutMs / 1000} seconds`)
    case 'cut-off':
      return cutOff('the stream ended without saying that it had finished')
    case 'error': {
      const { name, keyVariable } = model
      const context = { model: name, keyVariable, responded, nowMs: Date.now() }
      return withoutKey(failureOf(readFault(cause.error), context), model.apiKey)
    }
  }
}

/** Some providers quote a rejected key. */
function withoutKey(failure: AgentFailure, apiKey: string | undefined): AgentFailure {
  if (apiKey === undefined) return failure
  return { ...failure, message: failure.message.replaceAll(apiKey, '***') }
}
