/** Signals as they come, made into replies: each with the calls that it proposes and what it has used. */
import type { TokenUsage } from '@donecheck/core/budgets'
import type { AgentCall, AgentSignal, TurnEnded } from './agent-signal.ts'
import { BoundedText } from './bounds.ts'
import { addUsage } from './usage.ts'

export interface AssembledReply {
  readonly text: string
  readonly calls: readonly AgentCall[]
  /** Undefined: nothing was told. */
  readonly usage: TokenUsage | undefined
  readonly costUsd: number | undefined
}

/** What happens to a reply, and to calls that were told before. */
type Assembled = Exclude<
  AgentSignal,
  { kind: 'session' | 'session-lost' | 'plan' | 'finding' | 'blocker' | 'retrying' }
>

/** A reply with more calls is handed on in parts. */
const maxCalls = 64

export class ReplyAssembler {
  /** The agent tells when a reply of its model is over; otherwise every call ends one. */
  readonly #tellsSteps: boolean
  readonly #ready: AssembledReply[] = []
  readonly #held = new Map<string, AgentCall>()
  #text = new BoundedText()
  #calls: AgentCall[] = []
  #usage: TokenUsage | undefined
  #costUsd: number | undefined
  /** The reply is over; only more of the turn can tell that it was not the last one. */
  #hasEnded = false
  /** A reply was handed on before it was over: what it has used comes later. */
  #isOwed = false

  constructor(tellsSteps: boolean) {
    this.#tellsSteps = tellsSteps
  }

  take(): AssembledReply | undefined {
    return this.#ready.shift()
  }

  /** A call waits for an answer that only whoever takes the next replies can give. */
  get isAsked(): boolean {
    return this.#ready.some(({ calls }) => calls.some(({ answer }) => answer !== undefined))
  }

  add(signal: Assembled): void {
    switch (signal.kind) {
      case 'text':
        this.#beginAnew()
        this.#text.add(signal.piece)
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

  /** What is left for the last reply of the turn. */
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
    // It ran before its reply was over.
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
    return { text: this.#text.show(), calls: this.#calls, usage: this.#usage, costUsd: this.#costUsd }
  }

  #clear(): void {
    this.#text = new BoundedText()
    this.#calls = []
    this.#usage = undefined
    this.#costUsd = undefined
    this.#hasEnded = false
  }
}
