/** One call of `generate` or `stream`, recorded in a hosted session as it goes on. */
import type { HostAnswer, HostEvent } from '../../../protocol/host/index.ts'
import { SdkSession } from '../../../session/index.ts'
import type { StepCall, StepLike } from '../step.ts'
import { callOf, endedCallsOf, isClaim, resultOf, usageOf, waitingOf, type EndOfCall } from '../translate.ts'

type SessionParts = ConstructorParameters<typeof SdkSession>[0]

export interface GenerationOptions extends SessionParts {
  /** Adds a message for the model before its next step. */
  readonly say: (message: string) => void
  /** The agent must end now and can be told in no other way than by its stop conditions, if at all. */
  readonly onEnd: () => void
}

/** How the model's latest turn stands. */
export type GenerationStatus =
  | { readonly kind: 'working' }
  /** The claim was let pass; the session says as what. */
  | { readonly kind: 'passed' }
  | { readonly kind: 'blocked'; readonly feedback: string }
  /** Neither a claim nor at work: it waits for a person, or for tools that the host runs. */
  | { readonly kind: 'waiting'; readonly for: readonly string[] }
  /** A cap or a loop has ended it. */
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

  /** It must not make another step. */
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

  /** Before a call runs. */
  proposeToolCall(call: StepCall): Promise<HostAnswer> {
    this.#proposed.add(call.toolCallId)
    return this.proposeCall(callOf(call, this.acts))
  }

  /** With all that its calls gave. At a claim the checks are asked before this resolves. */
  async recordModelStep(step: StepLike): Promise<void> {
    this.#last = step
    const reply = { text: step.text, usage: usageOf(step.usage) }
    const advice = await this.recordStep(reply, endedCallsOf(step, this.acts))
    if (this.isOver) return
    const waiting = waitingOf(step)
    if (waiting.length > 0) this.#status = { kind: 'waiting', for: waiting }
    else if (isClaim(step)) await this.recordClaim(step.text)
    else if (step.finishReason === 'error' || step.finishReason === 'interrupted')
      this.#status = { kind: 'broken' }
    else {
      this.#status = { kind: 'working' }
      for (const words of advice) this.#options.say(words)
    }
    if (this.#status.kind === 'blocked') this.#options.say(this.#status.feedback)
  }

  /** A call of an earlier step, which had to wait. */
  async ranLater(call: StepCall, end: EndOfCall, durationMs: number | undefined): Promise<void> {
    const result = resultOf(end, durationMs)
    await this.tell({ kind: 'tool-finished', call: callOf(call, this.acts), result })
  }

  /** A bound of the host's own has ended it in the middle of its work: what the checks say of it is asked for all the same. */
  override async cutShort(): Promise<void> {
    if (this.#status.kind === 'working' && this.#last !== undefined) await super.cutShort(this.#last.text)
    else await this.over()
  }

  /** An error, or an abort. */
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
