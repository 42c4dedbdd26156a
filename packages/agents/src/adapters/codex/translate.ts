import type { AgentFailure, FailureKind, JsonValue } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { given } from '@donecheck/engine/internal/base'
import { epochMs, resetInText } from '@donecheck/engine/internal/system/models'
import {
  fieldOf,
  isTrueIn,
  numberIn,
  payloadOf,
  textIn,
  usageSince,
  type Payload,
} from '../../protocol/host/index.ts'
import {
  failureInText,
  providerFailure,
  type AgentCall,
  type AgentSignal,
  type RpcCall,
  type RpcPeer,
  type TurnEnded,
} from '../../protocol/stream/index.ts'
import {
  callOfItem,
  callOfRequest,
  endOfItem,
  planOfTurn,
  subjectOf,
  usageOf,
  type PermissionRequest,
} from './app-server/items.ts'
import { steer } from './app-server/thread.ts'
import { effectOf, hasFailed, type RecordedCall } from './app-server/thread-records.ts'

export type AppServerNews =
  | AgentSignal
  | PermissionRequest
  /** A reply has ended: its record holds the calls that the stream does not report. */
  | { readonly kind: 'used'; readonly threadId: string; readonly usage: TokenUsage }
  | {
      readonly kind: 'do'
      readonly finding?: string
      readonly act: (peer: RpcPeer) => Promise<unknown>
    }

interface AppServerTurn {
  readonly threadId: string
  readonly turnId: string
  readonly folder: string
}

type RpcRequest = Extract<RpcCall, { kind: 'request' }>

/** Requests that only a person could grant. */
const refusals: Readonly<Record<string, { readonly result: JsonValue; readonly reason: string }>> = {
  'item/permissions/requestApproval': {
    result: { permissions: {}, scope: 'turn' },
    reason: 'more permissions are not given in this run',
  },
  'mcpServer/elicitation/request': {
    result: { action: 'decline', content: null },
    reason: 'nobody is here to answer the question of a server',
  },
  'item/tool/requestUserInput': {
    result: { answers: {} },
    reason: 'nobody is here to answer: decide yourself, and say what you have assumed',
  },
}

export class AppServerTranslator {
  readonly #turn: AppServerTurn
  /** Items that started but were not reported yet. */
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
      const begun = this.#begun.get(callId)
      const isTold = this.#open.has(callId)
      if (!isTold && begun === undefined && this.#seen.has(callId)) continue
      if (!isTold)
        yield* this.#tell(callId, begun, { kind: 'call', callId, tool, args, effect: effectOf(tool) })
      // It may continue in the background, and the model knows that.
      yield* this.#end(callId, { status: hasFailed(output) ? 'error' : 'ok', output }, callId)
    }
    this.#seen.clear()
  }

  *#notification(method: string, params: Payload): Generator<AppServerNews> {
    const isOurs = this.#isOurs(params)
    const item = payloadOf(params['item'])
    switch (method) {
      case 'item/started':
        this.#itemBegun(item)
        return
      case 'item/completed':
        if (item !== undefined) yield* this.#itemDone(item, isOurs)
        return
      case 'thread/tokenUsage/updated':
        yield* this.#used(params)
        return
      case 'thread/goal/updated':
        if (isOurs) yield* this.#goalUpdated(textIn(params['goal'], 'status'))
        return
      case 'thread/goal/cleared':
        if (isOurs) this.#goalStatus = undefined
        return
      case 'turn/started':
        if (isOurs) yield* this.#turnStarted(textIn(params['turn'], 'id'))
        return
      case 'turn/plan/updated':
        if (isOurs) yield planOfTurn(params)
        return
      case 'account/rateLimits/updated':
        this.#resetsAtMs = resetOf(params['rateLimits'])
        return
      case 'error':
        if (isOurs && isTrueIn(params, 'willRetry'))
          yield { kind: 'retrying', failure: this.#failureOf(params['error']) }
        return
      case 'turn/completed':
        if (isOurs) this.#turnDone(payloadOf(params['turn']))
    }
  }

  #isOurs(params: Payload): boolean {
    return textIn(params, 'threadId') === this.#turn.threadId
  }

  *#goalUpdated(status: string | undefined): Generator<AppServerNews> {
    const isNewlyActive = status === 'active' && this.#goalStatus !== 'active'
    this.#goalStatus = status
    const { threadId } = this.#turn
    if (isNewlyActive)
      yield {
        kind: 'do',
        finding: 'a goal in Codex was active: it is paused, as Codex would go on with it by itself',
        act: (peer) => peer.send('thread/goal/set', { threadId, status: 'paused' }),
      }
  }

  *#turnStarted(turnId: string | undefined): Generator<AppServerNews> {
    const { threadId } = this.#turn
    if (turnId === undefined || turnId === this.#turn.turnId) return
    this.#strays.add(turnId)
    yield {
      kind: 'do',
      finding: 'Codex began a turn by itself: it is interrupted',
      act: (peer) => peer.send('turn/interrupt', { threadId, turnId }),
    }
  }

  #itemBegun(item: Payload | undefined): void {
    const id = textIn(item, 'id')
    if (item === undefined || id === undefined || this.#open.has(id)) return
    if (callOfItem(item, this.#turn.folder) !== undefined) this.#begun.set(id, item)
  }

  *#itemDone(item: Payload, isOurs: boolean): Generator<AppServerNews> {
    const id = textIn(item, 'id') ?? ''
    const type = textIn(item, 'type')
    if (type === 'agentMessage') {
      if (!isOurs) return
      this.#text = textIn(item, 'text') ?? ''
      yield { kind: 'text', piece: this.#text }
      return
    }
    // The end was already reported with the reply in which the command started.
    if (!this.#begun.has(id) && !this.#open.has(id) && type === 'commandExecution') return
    if (!this.#open.has(id)) yield* this.#tell(id, item)
    yield* this.#end(id, endOfItem(item))
  }

  *#tell(itemId: string, item: Payload | undefined, otherwise?: AgentCall): Generator<AgentCall> {
    const call = (item === undefined ? undefined : callOfItem(item, this.#turn.folder)) ?? otherwise
    if (call !== undefined) yield this.#opened(itemId, call)
    this.#begun.delete(itemId)
  }

  #opened(itemId: string, call: AgentCall): AgentCall {
    this.#begun.delete(itemId)
    this.#open.set(itemId, call.callId)
    this.#seen.add(itemId)
    return call
  }

  *#end(itemId: string, end: ReturnType<typeof endOfItem>, otherwise?: string): Generator<AgentSignal> {
    const callId = this.#open.get(itemId) ?? otherwise
    this.#open.delete(itemId)
    if (callId !== undefined) yield { kind: 'call-ended', callId, ...end }
  }

  *#used(params: Payload): Generator<AppServerNews> {
    const threadId = textIn(params, 'threadId') ?? ''
    const turnId = textIn(params, 'turnId') ?? ''
    const reported = params['tokenUsage']
    const total = usageOf(fieldOf(reported, 'total'))
    if (total === undefined) return
    const before = this.#totals.get(threadId)
    this.#totals.set(threadId, total)
    // The earlier usage of a resumed thread is reported once, under an earlier turn's id.
    const isEarlier = turnId !== this.#turn.turnId && !this.#strays.has(turnId)
    if (this.#isOurs(params) && isEarlier) return
    const usage =
      before === undefined ? (usageOf(fieldOf(reported, 'last')) ?? total) : usageSince(total, before)
    yield { kind: 'used', threadId, usage }
  }

  #turnDone(turn: Payload | undefined): void {
    if (textIn(turn, 'id') !== this.#turn.turnId) return
    const end = { kind: 'turn-ended' as const, text: this.#text }
    switch (textIn(turn, 'status')) {
      case 'completed':
        this.#over = end
        return
      case 'interrupted':
        this.#over = { ...end, problem: 'somebody interrupted it' }
        return
      default:
        this.#over = { ...end, failure: this.#failureOf(turn?.['error']) }
    }
  }

  #failureOf(error: unknown): AgentFailure {
    return failureOf(textIn(error, 'message') ?? '', fieldOf(error, 'codexErrorInfo'), this.#resetsAtMs)
  }

  *#request(request: RpcRequest): Generator<AppServerNews> {
    const isApproval = /^item\/(?:commandExecution|fileChange)\/requestApproval$/.test(request.method)
    if (isApproval) yield* this.#ask(request)
    else yield { kind: 'do', act: (peer) => this.#decline(request, peer) }
  }

  /** No person can answer, so the model gets the reason. */
  async #decline({ id, method, params }: RpcRequest, peer: RpcPeer): Promise<void> {
    const refusal = Object.hasOwn(refusals, method) ? refusals[method] : undefined
    if (refusal === undefined) return peer.cannotAnswer(id, method)
    const threadId = textIn(params, 'threadId') ?? this.#turn.threadId
    const turnId = textIn(params, 'turnId')
    if (turnId !== undefined) await steer(peer, threadId, turnId, `That was refused: ${refusal.reason}`)
    await peer.answer(id, refusal.result)
  }

  *#ask({ id: requestId, method, params }: RpcRequest): Generator<AppServerNews> {
    const { folder, threadId, turnId } = this.#turn
    const itemId = textIn(params, 'itemId') ?? ''
    const item = this.#begun.get(itemId)
    this.#asked += 1
    const isRepeated = this.#open.has(itemId)
    yield* this.#end(itemId, {
      status: 'error',
      output: 'It could not be done as it was: Codex asks again, for more.',
    })
    const callId = isRepeated ? `${itemId}-again-${this.#asked}` : itemId
    yield {
      kind: 'asked',
      ...{ requestId, itemId },
      call: this.#opened(itemId, callOfRequest(method, params, { item, callId, folder })),
      threadId: textIn(params, 'threadId') ?? threadId,
      turnId: textIn(params, 'turnId') ?? turnId,
      subject: subjectOf(method, params, { item, isRepeated, folder }),
    }
  }
}

const kindsByName: Readonly<Record<string, FailureKind>> = {
  usageLimitExceeded: 'usage-limited',
  rateLimitExceeded: 'rate-limited',
  modelNotFound: 'configuration',
  unauthorized: 'configuration',
  sandboxError: 'configuration',
  contextWindowExceeded: 'refused',
  sessionBudgetExceeded: 'refused',
  badRequest: 'refused',
  inferenceHookDenied: 'refused',
  cyberPolicy: 'refused',
  misalignmentPolicyViolation: 'refused',
  tooManyDenials: 'refused',
}

const maxMessageLength = 2000

/** @param info the error's name, or an object with the HTTP status */
export function failureOf(
  message: string,
  info?: unknown,
  resetsAtMs?: number,
  nowMs = Date.now(),
): AgentFailure {
  const said = message.trim() === '' ? 'it does not say why' : message.trim().slice(0, maxMessageLength)
  const text = `codex could not go on: ${said.toWellFormed()}`
  const kind = kindsByName[typeof info === 'string' ? info : '']
  const [inner] = Object.values(payloadOf(info) ?? {})
  const failure: AgentFailure =
    kind === undefined
      ? (failureInText(text, numberIn(inner, 'httpStatusCode'), nowMs) ?? providerFailure(500, text))
      : { kind, message: text, retryable: kind === 'usage-limited' || kind === 'rate-limited' }
  if (failure.kind !== 'usage-limited') return failure
  // Its text gives the minute, its account the second.
  const isAhead = resetsAtMs !== undefined && resetsAtMs > nowMs
  return { ...failure, ...given({ resetsAtMs: isAhead ? resetsAtMs : resetInText(message, nowMs) }) }
}

/** When the last exhausted window of an account resets. @param limits as in `account/rateLimits/updated` */
export function resetOf(limits: unknown): number | undefined {
  const windows = [fieldOf(limits, 'primary'), fieldOf(limits, 'secondary')]
  const resets = windows.flatMap((window) => {
    const resetsAt = numberIn(window, 'resetsAt')
    const isUsedUp = (numberIn(window, 'usedPercent') ?? 0) >= 100
    return isUsedUp && resetsAt !== undefined ? [epochMs(resetsAt)] : []
  })
  return resets.length === 0 ? undefined : Math.max(...resets)
}
