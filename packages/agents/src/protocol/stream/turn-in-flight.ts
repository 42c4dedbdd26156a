/** One turn of an agent while it works: what was read of it, and what became of its calls. */
import type { DriveFailure, PlanEntry } from '@donecheck/core/events'
import type { AgentFinding, AgentSignal, AgentTurn, TurnEnded } from './agent-signal.ts'
import { boundText } from './bounds.ts'
import { failedTurn } from './failures.ts'
import { ReplyAssembler, type AssembledReply } from './reply-assembler.ts'
import { messageOf } from '@donecheck/engine/base'

interface CallEnd {
  readonly status: 'ok' | 'error' | 'interrupted'
  readonly output: string
}

/** Why nothing more comes of a turn. */
export type TurnOver =
  | { readonly kind: 'ended'; readonly ended: TurnEnded }
  | { readonly kind: 'session-lost'; readonly message: string }
  /** It did not end within its time. */
  | { readonly kind: 'timed-out' }
  /** We wanted no more of it. */
  | { readonly kind: 'broken-off' }
  /** Its signals stopped, or broke, before its end. */
  | { readonly kind: 'torn'; readonly message: string }

interface TurnListener {
  readonly onText: (piece: string) => void
  readonly onSession: (id: string) => void
  readonly onPlan: (plan: readonly PlanEntry[]) => void
  readonly onBlocker: (text: string) => void
  readonly onFinding: (finding: AgentFinding) => void
}

/** A timer cannot wait longer. */
const maxTimerMs = 2 ** 31 - 1
/** Of one agent, in a row. */
const maxOwnTries = 3
const maxOwnWaitMs = 5000
/** For agents that do not tell how long they wait. */
const maxTroubleMs = 45_000
const aborted = Symbol('aborted')
const late = Symbol('late')

export class TurnInFlight {
  readonly #turn: AgentTurn
  readonly #signals: AsyncIterator<AgentSignal>
  readonly #replies: ReplyAssembler
  readonly #ends = new Map<string, CallEnd>()
  readonly #listener: TurnListener
  #leftMs: number
  #reading: Promise<IteratorResult<AgentSignal, unknown>> | undefined
  #over: TurnOver | undefined
  #hasTold = false
  /** The provider refuses the agent, which asks again by itself. */
  #trouble: Trouble | undefined

  /** @param timeoutMs of the time that is spent on waiting for the agent */
  constructor(turn: AgentTurn, tellsSteps: boolean, timeoutMs: number, listener: TurnListener) {
    this.#turn = turn
    this.#signals = turn.signals[Symbol.asyncIterator]()
    this.#replies = new ReplyAssembler(tellsSteps)
    this.#leftMs = timeoutMs
    this.#listener = listener
  }

  get over(): TurnOver | undefined {
    return this.#over
  }

  endOf(callId: string): CallEnd | undefined {
    return this.#ends.get(callId)
  }

  /** Some reply of this turn was told with what it has used. */
  get hasTold(): boolean {
    return this.#hasTold
  }

  /** Says what no piece has said. */
  say(text: string): void {
    if (text !== '') this.#listener.onText(text)
  }

  get isAsked(): boolean {
    return this.#replies.isAsked
  }

  takeReply(): AssembledReply | undefined {
    return this.#replies.take()
  }

  rest(): AssembledReply {
    return this.#replies.rest()
  }

  /**
   * Reads one signal. The turn may be over then; it is broken off when the signal aborts.
   * @param leave nothing is read any more, and nothing is lost
   */
  async read(signal: AbortSignal, leave?: AbortSignal): Promise<void> {
    if (this.#over !== undefined) return
    if (signal.aborted) return this.breakOff()
    this.#reading ??= this.#signals.next()
    const read = await this.#within(
      this.#reading,
      leave === undefined ? signal : AbortSignal.any([signal, leave]),
    )
    if (read === aborted) return leave?.aborted === true ? undefined : this.breakOff()
    if (read === late) return this.#end(this.#whyLate())
    this.#reading = undefined
    if ('torn' in read) return this.#end({ kind: 'torn', message: read.torn })
    if (read.done === true)
      return this.#end({ kind: 'torn', message: 'the agent said nothing of the end of its turn' })
    return this.handle(read.value)
  }

  /** Nothing of the turn is at work afterwards. Never rejects. */
  async breakOff(): Promise<void> {
    await this.#end({ kind: 'broken-off' })
  }

  async #end(over: TurnOver): Promise<void> {
    this.#over ??= over
    await this.#turn.end().catch(() => undefined)
    // Not waited for: it may hang in what it was reading.
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
      case 'blocker':
        this.#listener.onBlocker(signal.text)
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
        this.#replies.add(signal)
        return this.#end({ kind: 'ended', ended: signal })
      case 'step':
        this.#trouble = undefined
        this.#hasTold = true
        break
      case 'call':
        break
    }
    this.#replies.add(signal)
  }

  /** A short trouble is the agent's own. A longer one is ours: we show why, spend no process on it, and survive a crash. */
  async #leaveOrEnd({ failure, waitMs = 0 }: Extract<AgentSignal, { kind: 'retrying' }>): Promise<void> {
    this.#trouble ??= { failure, sinceMs: performance.now(), tries: 0 }
    this.#trouble.tries += 1
    if (this.#trouble.tries < maxOwnTries && waitMs <= maxOwnWaitMs) return
    await this.#end({ kind: 'ended', ended: failedTurn(failure) })
  }

  #patienceMs(): number {
    return this.#trouble === undefined
      ? Number.POSITIVE_INFINITY
      : this.#trouble.sinceMs + maxTroubleMs - performance.now()
  }

  #whyLate(): TurnOver {
    if (this.#trouble === undefined || this.#leftMs <= 0) return { kind: 'timed-out' }
    return { kind: 'ended', ended: failedTurn(this.#trouble.failure) }
  }

  #within(
    reading: Promise<IteratorResult<AgentSignal, unknown>>,
    signal: AbortSignal,
  ): Promise<IteratorResult<AgentSignal, unknown> | Torn | typeof aborted | typeof late> {
    const startedMs = performance.now()
    const { promise, resolve } = Promise.withResolvers<
      IteratorResult<AgentSignal, unknown> | Torn | typeof aborted | typeof late
    >()
    const onAbort = () => resolve(aborted)
    signal.addEventListener('abort', onAbort, { once: true })
    // Whoever was asked for the signal may have aborted at once.
    if (signal.aborted) onAbort()
    const leftMs = Math.min(this.#leftMs, this.#patienceMs())
    const timer = leftMs > maxTimerMs ? undefined : setTimeout(resolve, Math.max(0, leftMs), late)
    reading.then(resolve, (error: unknown) => resolve({ torn: messageOf(error) }))
    return promise.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      this.#leftMs -= performance.now() - startedMs
    })
  }
}

interface Trouble {
  readonly failure: DriveFailure
  readonly sinceMs: number
  tries: number
}

interface Torn {
  readonly torn: string
}
