import { isTrueIn, payloadOf, textIn, type Payload, numberIn, usageSince } from '../../protocol/host/index.ts'
import {
  type AgentCall,
  type AgentSignal,
  type RpcCall,
  type TurnEnded,
  providerFailure,
} from '../../protocol/stream/index.ts'
import type { DriveFailure, JsonValue } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import {
  callOfItem,
  endOfItem,
  planOfTurn,
  usageOf,
  callOfRequest,
  subjectOf,
  type AppServerNews,
} from './app-server/items.ts'
import { effectOf, hasFailed, type RecordedCall } from './app-server/thread-records.ts'
import { given } from '@donecheck/engine/base'
import { epochMs, resetInText } from '@donecheck/engine/models'

interface AppServerTurn {
  readonly threadId: string
  readonly turnId: string
  /** Absolute. */
  readonly folder: string
}

export class AppServerTranslator {
  readonly #turn: AppServerTurn
  readonly #begun = new Map<string, Payload>()
  readonly #open = new Map<string, string>()
  readonly #seen = new Set<string>()
  readonly #strays = new Set<string>()
  readonly #totals = new Map<string, TokenUsage>()
  #goalStatus: string | undefined
  #text = ''
  #asked = 0
  #over: TurnEnded | undefined
  #resetsAtMs: number | undefined

  constructor(turn: AppServerTurn) {
    this.#turn = turn
  }

  get over(): TurnEnded | undefined {
    return this.#over
  }

  *read(message: RpcCall): Generator<AppServerNews> {
    if (message.kind === 'request') yield* this.#request(message)
    else yield* this.#notification(message.method, message.params)
  }

  *addRecordedCalls(calls: readonly RecordedCall[]): Generator<AgentSignal> {
    for (const { callId, tool, args, output = '' } of calls) {
      const status = hasFailed(output) ? 'error' : 'ok'
      const open = this.#open.get(callId)
      const begun = this.#begun.get(callId)
      if (open === undefined && begun === undefined && this.#seen.has(callId)) continue
      if (open === undefined)
        yield* this.#tell(callId, begun, { kind: 'call', callId, tool, args, effect: effectOf(tool) })
      // It goes on in the background, and the model knows that.
      yield { kind: 'call-ended', callId: this.#open.get(callId) ?? callId, status, output }
      this.#open.delete(callId)
    }
    this.#seen.clear()
  }

  *#tell(itemId: string, item: Payload | undefined, otherwise?: AgentCall): Generator<AgentCall> {
    const call = (item === undefined ? undefined : callOfItem(item, this.#turn.folder)) ?? otherwise
    this.#begun.delete(itemId)
    if (call === undefined) return
    this.#open.set(itemId, call.callId)
    this.#seen.add(itemId)
    yield call
  }

  *#notification(method: string, params: Payload): Generator<AppServerNews> {
    const item = payloadOf(params['item'])
    switch (method) {
      case 'item/started':
        this.#itemBegun(item)
        return
      case 'item/completed':
        if (item !== undefined) yield* this.#itemDone(item, params)
        return
      case 'thread/tokenUsage/updated':
        yield* this.#used(params)
        return
      case 'thread/goal/updated':
        if (this.#isOurs(params) && this.#isNewlyActive(payloadOf(params['goal'])))
          yield { kind: 'pause-goal' }
        return
      case 'thread/goal/cleared':
        if (this.#isOurs(params)) this.#goalStatus = undefined
        return
      case 'turn/started': {
        const turnId = textIn(payloadOf(params['turn']), 'id')
        if (!this.#isOurs(params) || turnId === undefined || turnId === this.#turn.turnId) return
        this.#strays.add(turnId)
        yield { kind: 'stray-turn', turnId }
        return
      }
      case 'turn/plan/updated':
        if (this.#isOurs(params)) yield { kind: 'signal', signal: planOfTurn(params) }
        return
      case 'account/rateLimits/updated':
        this.#resetsAtMs = resetOf(payloadOf(params['rateLimits']))
        return
      case 'error':
        if (this.#isOurs(params) && isTrueIn(params, 'willRetry'))
          yield { kind: 'signal', signal: { kind: 'retrying', failure: this.#failureOf(params) } }
        return
      case 'turn/completed':
        this.#turnDone(params)
    }
  }

  #isOurs(params: Payload): boolean {
    return textIn(params, 'threadId') === this.#turn.threadId
  }

  #isOfTurn(params: Payload): boolean {
    return textIn(params, 'turnId') === this.#turn.turnId
  }

  #isNewlyActive(goal: Payload | undefined): boolean {
    const before = this.#goalStatus
    this.#goalStatus = textIn(goal, 'status')
    return this.#goalStatus === 'active' && before !== 'active'
  }

  #itemBegun(item: Payload | undefined): void {
    const id = textIn(item, 'id')
    if (item === undefined || id === undefined || this.#open.has(id)) return
    if (callOfItem(item, this.#turn.folder) !== undefined) this.#begun.set(id, item)
  }

  *#itemDone(item: Payload, params: Payload): Generator<AppServerNews> {
    const id = textIn(item, 'id') ?? ''
    if (textIn(item, 'type') === 'agentMessage') {
      if (!this.#isOurs(params)) return
      this.#text = textIn(item, 'text') ?? ''
      yield { kind: 'signal', signal: { kind: 'text', piece: this.#text } }
      return
    }
    // An end that comes after the reply in which it began was told already.
    const isKnown = this.#begun.has(id) || this.#open.has(id)
    if (!isKnown && textIn(item, 'type') === 'commandExecution') return
    if (!this.#open.has(id)) for (const call of this.#tell(id, item)) yield { kind: 'signal', signal: call }
    const callId = this.#open.get(id)
    if (callId === undefined) return
    this.#open.delete(id)
    yield { kind: 'signal', signal: { kind: 'call-ended', callId, ...endOfItem(item) } }
  }

  *#used(params: Payload): Generator<AppServerNews> {
    const threadId = textIn(params, 'threadId') ?? ''
    const reported = payloadOf(params['tokenUsage'])
    const total = usageOf(reported?.['total'])
    if (total === undefined) return
    const before = this.#totals.get(threadId)
    this.#totals.set(threadId, total)
    // What a thread that is gone on with has used before is told once, under the name of an earlier turn.
    const isStray = this.#strays.has(textIn(params, 'turnId') ?? '')
    if (this.#isOurs(params) && !this.#isOfTurn(params) && !isStray) return
    const usage = before === undefined ? (usageOf(reported?.['last']) ?? total) : usageSince(total, before)
    yield { kind: 'step', threadId, usage }
  }

  #turnDone(params: Payload): void {
    const turn = payloadOf(params['turn'])
    if (!this.#isOurs(params) || turn === undefined || textIn(turn, 'id') !== this.#turn.turnId) return
    const end = { kind: 'turn-ended' as const, text: this.#text }
    switch (textIn(turn, 'status')) {
      case 'completed':
        this.#over = end
        return
      case 'interrupted':
        this.#over = { ...end, problem: 'somebody interrupted it' }
        return
      default:
        this.#over = { ...end, failure: this.#failureOf(turn) }
    }
  }

  #failureOf(params: Payload): DriveFailure {
    const error = payloadOf(params['error'])
    return failureOf(textIn(error, 'message') ?? '', error?.['codexErrorInfo'], this.#resetsAtMs)
  }

  *#request({ id, method, params }: Extract<RpcCall, { kind: 'request' }>): Generator<AppServerNews> {
    const declineRequest = (result: JsonValue, reason: string): AppServerNews => ({
      kind: 'declined',
      ...{ id, result, reason },
      threadId: textIn(params, 'threadId') ?? this.#turn.threadId,
      turnId: textIn(params, 'turnId'),
    })
    switch (method) {
      case 'item/commandExecution/requestApproval':
      case 'item/fileChange/requestApproval':
        yield* this.#ask(id, method, params)
        return
      case 'item/permissions/requestApproval':
        yield declineRequest({ permissions: {}, scope: 'turn' }, 'more permissions are not given in this run')
        return
      case 'mcpServer/elicitation/request':
        yield declineRequest(
          { action: 'decline', content: null },
          'nobody is here to answer the question of a server',
        )
        return
      case 'item/tool/requestUserInput':
        yield declineRequest(
          { answers: {} },
          'nobody is here to answer: decide yourself, and say what you have assumed',
        )
        return
      default:
        yield { kind: 'unanswerable', id, method }
    }
  }

  *#ask(requestId: JsonValue, method: string, params: Payload): Generator<AppServerNews> {
    const itemId = textIn(params, 'itemId') ?? ''
    const item = this.#begun.get(itemId)
    this.#asked += 1
    const earlier = this.#open.get(itemId)
    if (earlier !== undefined) {
      const output = 'It could not be done as it was: Codex asks again, for more.'
      yield { kind: 'signal', signal: { kind: 'call-ended', callId: earlier, status: 'error', output } }
    }
    const call = callOfRequest(method, params, {
      item,
      callId: earlier === undefined ? itemId : `${itemId}-again-${this.#asked}`,
      folder: this.#turn.folder,
    })
    this.#begun.delete(itemId)
    this.#open.set(itemId, call.callId)
    this.#seen.add(itemId)
    yield {
      kind: 'asked',
      ...{ requestId, call, itemId },
      threadId: textIn(params, 'threadId') ?? this.#turn.threadId,
      turnId: textIn(params, 'turnId') ?? this.#turn.turnId,
      subject: subjectOf(method, params, {
        item,
        isRepeated: earlier !== undefined,
        folder: this.#turn.folder,
      }),
    }
  }
}

type Kind = Pick<DriveFailure, 'kind' | 'retryable'>

const serverError: Kind = { kind: 'server-error', retryable: true }

const rateLimited: Kind = { kind: 'rate-limited', retryable: true }

const usedUp: Kind = { kind: 'usage-limited', retryable: true }

const configuration: Kind = { kind: 'configuration', retryable: false }

export const refused: Kind = { kind: 'refused', retryable: false }

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
