import type { HostAnswer, HostEvent } from '../../protocol/host/index.ts'
import { SdkSession } from '../../session/index.ts'
import {
  type StepCall,
  type StepLike,
  callOf,
  endedCallsOf,
  isClaim,
  resultOf,
  usageOf,
  waitingOf,
  type EndOfCall,
} from './translate.ts'

type SessionParts = ConstructorParameters<typeof SdkSession>[0]

interface GenerationOptions extends SessionParts {
  readonly say: (message: string) => void
  /** The agent must end now and can be told in no other way than by its stop conditions, if at all. */
  readonly onEnd: () => void
}

type GenerationStatus =
  | { readonly kind: 'working' }
  | { readonly kind: 'passed' }
  | { readonly kind: 'blocked'; readonly feedback: string }
  | { readonly kind: 'waiting'; readonly for: readonly string[] }
  | { readonly kind: 'ended'; readonly message: string }
  | { readonly kind: 'broken' }

export class Generation extends SdkSession {
  readonly #options: GenerationOptions
  readonly #proposed = new Set<string>()
  #status: GenerationStatus = { kind: 'working' }
  #last: StepLike | undefined

  constructor(options: GenerationOptions) {
    super(options)
    this.#options = options
  }

  get currentStatus(): GenerationStatus {
    return this.#status
  }

  get isOver(): boolean {
    return this.#status.kind === 'ended'
  }

  override async recordPrompt(prompt: string): Promise<void> {
    await super.recordPrompt(prompt)
    const { end } = this.hostedSession
    if (end !== undefined) this.#status = { kind: 'ended', message: end.message }
  }

  wasProposed({ toolCallId }: StepCall): boolean {
    return this.#proposed.has(toolCallId)
  }

  proposeToolCall(call: StepCall): Promise<HostAnswer> {
    this.#proposed.add(call.toolCallId)
    return this.proposeCall(callOf(call, this.acts))
  }

  async recordModelStep(step: StepLike): Promise<void> {
    this.#last = step
    const reply = { text: step.text, usage: usageOf(step.usage) }
    const advice = await this.recordStep(reply, endedCallsOf(step, this.acts))
    if (this.isOver) return
    const waiting = waitingOf(step)
    if (waiting.length > 0) this.#status = { kind: 'waiting', for: waiting }
    else if (isClaim(step)) await this.verifyTurnEnd(step.text)
    else if (step.finishReason === 'error' || step.finishReason === 'interrupted')
      this.#status = { kind: 'broken' }
    else {
      this.#status = { kind: 'working' }
      for (const words of advice) this.#options.say(words)
    }
    if (this.#status.kind === 'blocked') this.#options.say(this.#status.feedback)
  }

  async ranLater(call: StepCall, end: EndOfCall, durationMs: number | undefined): Promise<void> {
    const result = resultOf(end, durationMs)
    await this.tell({ kind: 'tool-finished', call: callOf(call, this.acts), result })
  }

  override async cutShort(): Promise<void> {
    if (this.#status.kind === 'working' && this.#last !== undefined) await super.cutShort(this.#last.text)
    else await this.over()
  }

  /** Called for an error as well as for an abort. */
  override async recordFailure(problem: unknown): Promise<void> {
    if (this.isOver) return
    this.#status = { kind: 'broken' }
    await super.recordFailure(problem)
    await this.over()
  }

  protected override async tell(event: HostEvent, signal?: AbortSignal): Promise<HostAnswer> {
    const answer = await super.tell(event, signal)
    if (answer.kind === 'end' && !this.isOver) {
      this.#status = { kind: 'ended', message: answer.message }
      this.#options.onEnd()
    }
    if (event.kind === 'stopping' && answer.kind === 'pass') this.#status = { kind: 'passed' }
    if (event.kind === 'stopping' && answer.kind === 'block')
      this.#status = { kind: 'blocked', feedback: answer.feedback }
    return answer
  }
}
