/** What the messages of `codex app-server` mean for the turn that is at work. Pure. */
import { isTrueIn, payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'
import { usageSince, type AgentCall, type AgentSignal, type TurnEnded } from '../../protocol/stream/index.ts'
import type { DriveFailure, JsonValue } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import { GoalWatch, goalIn } from './app-server/goal.ts'
import { callOfItem, endOfItem, planOfTurn, usageOf } from './app-server/items.ts'
import type { ServerMessage } from './app-server/peer.ts'
import { callOfRequest, subjectOf, type AppServerNews } from './app-server/news.ts'
import { effectOf, hasFailed, type RecordedCall } from './app-server/recorded-calls.ts'
import { failureOf, resetOf } from './app-server/turn-failure.ts'

export interface AppServerTurn {
  readonly threadId: string
  readonly turnId: string
  /** Absolute. */
  readonly folder: string
}

export class AppServerTranslator {
  readonly goal = new GoalWatch()
  readonly #turn: AppServerTurn
  /** Begun, and not yet told of: Codex may still ask for them. */
  readonly #begun = new Map<string, Payload>()
  /** Told of, and not ended: from Codex's id to ours. */
  readonly #open = new Map<string, string>()
  /** Of this reply: Codex has told of them by itself. */
  readonly #seen = new Set<string>()
  /** Turns of this thread that nobody has asked for. */
  readonly #strays = new Set<string>()
  readonly #totals = new Map<string, TokenUsage>()
  #text = ''
  #asked = 0
  #over: TurnEnded | undefined
  #resetsAtMs: number | undefined

  constructor(turn: AppServerTurn) {
    this.#turn = turn
  }

  /** The end of the turn; undefined while it goes on. */
  get over(): TurnEnded | undefined {
    return this.#over
  }

  *read(message: ServerMessage): Generator<AppServerNews> {
    if (message.kind === 'request') yield* this.#request(message)
    else yield* this.#notification(message.method, message.params)
  }

  /** Calls of which the stream told nothing, or not the end. */
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
        if (this.#isOurs(params) && this.goal.see(goalIn(params), this.#isOfTurn(params)))
          yield { kind: 'pause-goal' }
        return
      case 'thread/goal/cleared':
        if (this.#isOurs(params)) this.goal.see(undefined, true)
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

  *#request({ id, method, params }: Extract<ServerMessage, { kind: 'request' }>): Generator<AppServerNews> {
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
