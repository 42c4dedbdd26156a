import type { AgentFailure, PlanEntry, JsonValue } from '@donecheck/core/internal/events'
import type { AgentFinding, AgentSignal, AgentTurn, TurnEnded, AgentCall } from './agent-signal.ts'
import { failedTurn } from './failures.ts'
import { addUsage } from '../host/index.ts'
import { messageOf } from '@donecheck/engine/internal/base'
import type { FileChange } from '@donecheck/engine/internal/ports/gate'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { excerptOf, OutputCollector, showExcerpt } from '@donecheck/engine/internal/system/process'

interface CallEnd {
  readonly status: 'ok' | 'error' | 'interrupted'
  readonly output: string
}

export type TurnOver =
  /** `isBroken`: the agent itself did not end it. */
  | { readonly kind: 'ended'; readonly ended: TurnEnded; readonly isBroken?: true }
  | { readonly kind: 'session-lost'; readonly message: string }

interface TurnListener {
  readonly onText: (piece: string) => void
  readonly onSession: (id: string) => void
  readonly onPlan: (plan: readonly PlanEntry[]) => void
  readonly onFinding: (finding: AgentFinding) => void
}

/** The maximum of setTimeout. */
const maxTimerMs = 2 ** 31 - 1
const maxOwnTries = 3
const maxOwnWaitMs = 5000
/** For agents that do not report how long they wait. */
const maxTroubleMs = 45_000
const aborted = Symbol('aborted')
const late = Symbol('late')

export class TurnInFlight {
  readonly #turn: AgentTurn
  readonly #signals: AsyncIterator<AgentSignal>
  readonly replies: ReplyAssembler
  readonly #ends = new Map<string, CallEnd>()
  readonly #listener: TurnListener
  readonly #timeoutMs: number
  #leftMs: number
  #reading: Promise<Read> | undefined
  #over: TurnOver | undefined
  #hasTold = false
  /** The retries of the agent since it last made progress. */
  #trouble: Trouble | undefined

  constructor(turn: AgentTurn, tellsSteps: boolean, timeoutMs: number, listener: TurnListener) {
    this.#turn = turn
    this.#signals = turn.signals[Symbol.asyncIterator]()
    this.replies = new ReplyAssembler(tellsSteps)
    this.#leftMs = this.#timeoutMs = timeoutMs
    this.#listener = listener
  }

  get over(): TurnOver | undefined {
    return this.#over
  }

  endOf(callId: string): CallEnd | undefined {
    return this.#ends.get(callId)
  }

  get hasTold(): boolean {
    return this.#hasTold
  }

  say(text: string): void {
    if (text !== '') this.#listener.onText(text)
  }

  /** @param leave stops reading without losing a signal */
  async read(signal: AbortSignal, leave?: AbortSignal): Promise<void> {
    if (this.#over !== undefined) return
    if (signal.aborted) return this.breakOff()
    this.#reading ??= this.#signals.next()
    const read = await this.#within(
      this.#reading,
      leave === undefined ? signal : AbortSignal.any([signal, leave]),
    )
    if (read === aborted) return leave?.aborted === true ? undefined : this.breakOff()
    if (read === late) return this.#endLate()
    this.#reading = undefined
    if ('torn' in read) return this.#break(read.torn)
    if (read.done === true) return this.#break('the agent said nothing of the end of its turn')
    return this.handle(read.value)
  }

  async breakOff(): Promise<void> {
    await this.#break('it was broken off')
  }

  #break(problem: string): Promise<void> {
    return this.#end({ kind: 'ended', ended: { kind: 'turn-ended', text: '', problem }, isBroken: true })
  }

  async #end(over: TurnOver): Promise<void> {
    this.#over ??= over
    await this.#turn.end().catch(() => undefined)
    // Not awaited, because it may hang in a read.
    this.#signals.return?.().catch(() => undefined)
  }

  async handle(signal: AgentSignal): Promise<void> {
    switch (signal.kind) {
      case 'session':
        this.#listener.onSession(signal.id)
        return
      case 'plan':
        this.#listener.onPlan(signal.entries)
        return
      case 'finding':
        this.#listener.onFinding(signal)
        return
      case 'session-lost':
        return this.#end(signal)
      case 'retrying':
        return this.#leaveOrEnd(signal)
      case 'text':
        this.#trouble = undefined
        this.#listener.onText(signal.piece)
        break
      case 'call-ended':
        this.#ends.set(signal.callId, { status: signal.status, output: boundText(signal.output) })
        break
      case 'turn-ended':
        this.replies.add(signal)
        return this.#end({ kind: 'ended', ended: signal })
      case 'step':
        this.#trouble = undefined
        this.#hasTold = true
        break
      case 'call':
        break
    }
    this.replies.add(signal)
  }

  /** The agent handles short waits. For longer ones we end the process, show why and survive a crash. */
  async #leaveOrEnd({ failure, waitMs = 0 }: Extract<AgentSignal, { kind: 'retrying' }>): Promise<void> {
    this.#trouble ??= { failure, untilMs: performance.now() + maxTroubleMs, retries: 0 }
    this.#trouble.retries += 1
    if (this.#trouble.retries >= maxOwnTries || waitMs > maxOwnWaitMs)
      await this.#end({ kind: 'ended', ended: failedTurn(failure) })
  }

  #endLate(): Promise<void> {
    return this.#trouble === undefined
      ? this.#break(`it did not end within ${this.#timeoutMs / 1000} s and was stopped`)
      : this.#end({ kind: 'ended', ended: failedTurn(this.#trouble.failure) })
  }

  #within(reading: Promise<Read>, signal: AbortSignal): Promise<Waited> {
    const startedMs = performance.now()
    const { promise, resolve } = Promise.withResolvers<Waited>()
    const onAbort = () => resolve(aborted)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    const patienceMs = (this.#trouble?.untilMs ?? Number.POSITIVE_INFINITY) - startedMs
    const waitMs = Math.max(0, Math.min(this.#leftMs, patienceMs, maxTimerMs))
    const timer = setTimeout(resolve, waitMs, late)
    reading.then(resolve, (error: unknown) => resolve({ torn: messageOf(error) }))
    return promise.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      this.#leftMs -= performance.now() - startedMs
    })
  }
}

interface Trouble {
  readonly failure: AgentFailure
  readonly untilMs: number
  retries: number
}

type Read = IteratorResult<AgentSignal, unknown>
type Waited = Read | { readonly torn: string } | typeof aborted | typeof late

export interface AssembledReply {
  readonly text: string
  readonly calls: readonly AgentCall[]
  readonly usage: TokenUsage | undefined
  readonly costUsd: number | undefined
}

type Assembled = Exclude<AgentSignal, { kind: 'session' | 'session-lost' | 'plan' | 'finding' | 'retrying' }>

const maxCalls = 64

export class ReplyAssembler {
  /** Whether the agent reports the end of each reply; otherwise every call ends one. */
  readonly #tellsSteps: boolean
  readonly #ready: AssembledReply[] = []
  readonly #held = new Map<string, AgentCall>()
  #text: OutputCollector | undefined
  #calls: AgentCall[] = []
  #usage: TokenUsage | undefined
  #costUsd: number | undefined
  /** The reply is over, but only the next signal shows whether it was the last. */
  #hasEnded = false
  /** The reply was passed on early, so its usage arrives later. */
  #isOwed = false

  constructor(tellsSteps: boolean) {
    this.#tellsSteps = tellsSteps
  }

  take(): AssembledReply | undefined {
    return this.#ready.shift()
  }

  get isAsked(): boolean {
    return this.#ready.some(({ calls }) => calls.some(({ answer }) => answer !== undefined))
  }

  add(signal: Assembled): void {
    switch (signal.kind) {
      case 'text':
        this.#beginAnew()
        this.#text ??= new OutputCollector(headBytes, tailBytes)
        this.#text.add(Buffer.from(signal.piece))
        return
      case 'call':
        this.#addCall(signal)
        return
      case 'call-ended':
        this.#endCall(signal.callId)
        return
      case 'step':
        this.#addStep(signal.usage, signal.costUsd)
        return
      case 'turn-ended':
        this.#endTurn(signal)
        return
    }
  }

  rest(): AssembledReply {
    const rest = this.#current()
    this.#clear()
    return rest
  }

  #addCall(call: AgentCall): void {
    this.#beginAnew()
    if (call.holdsOthers === true) {
      const namesake = this.#held.get(call.callId)
      if (namesake !== undefined) this.#calls.push(namesake)
      this.#held.set(call.callId, call)
      return
    }
    this.#calls.push(call)
    const isWaiting = call.answer !== undefined && call.step !== 'follows'
    if (!this.#tellsSteps || isWaiting || this.#calls.length >= maxCalls)
      this.#handOn(this.#tellsSteps && call.step !== 'told')
  }

  #endCall(callId: string): void {
    const held = this.#held.get(callId)
    if (held !== undefined) {
      this.#held.delete(callId)
      this.#calls.push(held)
      if (!this.#tellsSteps) this.#handOn(false)
      return
    }
    if (this.#calls.some((call) => call.callId === callId)) this.#handOn(this.#tellsSteps)
  }

  #addStep(usage: TokenUsage, costUsd: number | undefined): void {
    this.#beginAnew()
    this.#book(usage, costUsd)
    if (this.#calls.length > 0) this.#handOn(false)
    else if (this.#isOwed) this.#isOwed = false
    else this.#hasEnded = true
  }

  #endTurn({ usage, costUsd }: TurnEnded): void {
    this.#calls.push(...this.#held.values())
    this.#held.clear()
    if (this.#calls.length > 0) this.#handOn(false)
    if (usage !== undefined) this.#book(usage, undefined)
    if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd
  }

  #beginAnew(): void {
    if (this.#hasEnded) this.#handOn(false)
  }

  #book(usage: TokenUsage, costUsd: number | undefined): void {
    this.#usage = addUsage(this.#usage, usage)
    if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd
  }

  #handOn(isOwed: boolean): void {
    this.#ready.push(this.#current())
    this.#clear()
    this.#isOwed = isOwed
  }

  #current(): AssembledReply {
    const text = this.#text === undefined ? '' : showExcerpt(this.#text.excerpt())
    return { text, calls: this.#calls, usage: this.#usage, costUsd: this.#costUsd }
  }

  #clear(): void {
    this.#text = undefined
    this.#calls = []
    this.#usage = undefined
    this.#costUsd = undefined
    this.#hasEnded = false
  }
}

const headBytes = 20 * 1024
const tailBytes = 40 * 1024
/** For the line that reports omissions; text that was already cut stays. */
const lineBytes = 64
const maxArgumentsLength = 256 * 1024

export function boundText(text: string): string {
  const isShort = Buffer.byteLength(text) <= headBytes + tailBytes + lineBytes
  return isShort ? text : showExcerpt(excerptOf(text, headBytes, tailBytes))
}

export function previewOf(files: readonly FileChange[]): string {
  const shown = files.map(({ path, before, after }) => {
    if (after === null) return `delete ${path}`
    if (after === undefined) return `change ${path}; how, the agent does not show`
    return `${typeof before === 'string' ? 'change' : 'create'} ${path} to:\n${after}`
  })
  return boundText(shown.join('\n\n'))
}

export function boundArguments(args: JsonValue): JsonValue {
  const written = JSON.stringify(args)
  if (written.length <= maxArgumentsLength) return args
  const { totalBytes, digest } = excerptOf(written, 0, 0)
  return { leftOut: `${totalBytes} bytes of arguments`, sha256: digest }
}
