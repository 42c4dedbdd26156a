/** One call of `generate` or `stream`, told to a ride as it goes on. */
import type { HostAnswer, HostEvent, HostResult, ToolActs } from '../../agents/index.ts'
import type { Ride } from '../../ride/index.ts'
import { textOf } from './json.ts'
import type { StepCall, StepLike } from './step.ts'
import { callOf, eventsOfStep, isClaim, waitingOf } from './translate.ts'

export interface GenerationOptions {
  readonly ride: Ride
  readonly acts: ToolActs
  /** Aborts a verification. */
  readonly signal?: AbortSignal | undefined
  /** Adds a message for the model before its next step. */
  readonly say: (message: string) => void
  /** The agent must end now and can be told in no other way than by its stop conditions, if at all. */
  readonly onEnd: () => void
}

/** How the model's latest turn stands. */
export type Standing =
  | { readonly kind: 'working' }
  /** The claim was let pass; the ride says as what. */
  | { readonly kind: 'passed' }
  | { readonly kind: 'sent-back'; readonly feedback: string }
  /** Neither a claim nor at work: it waits for a person, or for tools that the host runs. */
  | { readonly kind: 'waiting'; readonly for: readonly string[] }
  /** A cap or a loop has ended it. */
  | { readonly kind: 'ended'; readonly message: string }
  | { readonly kind: 'broken' }

export class Generation {
  readonly #options: GenerationOptions
  /** Calls that donecheck has refused. */
  readonly #refused = new Set<string>()
  readonly #proposed = new Set<string>()
  /** One event at a time. */
  #told: Promise<unknown> = Promise.resolve()
  #standing: Standing = { kind: 'working' }
  #last: StepLike | undefined
  #sendBacks = 0
  readonly #notices: string[] = []

  constructor(options: GenerationOptions) {
    this.#options = options
  }

  get standing(): Standing {
    return this.#standing
  }

  /** Times that the model was sent back by this call. */
  get sendBacks(): number {
    return this.#sendBacks
  }

  /** What people should read. */
  get notices(): readonly string[] {
    return this.#notices
  }

  /** It must not make another step. */
  get isOver(): boolean {
    return this.#standing.kind === 'ended'
  }

  async prompted(prompt: string): Promise<void> {
    await this.#tell({ kind: 'prompted', prompt })
    const { end } = this.#options.ride
    if (end !== undefined) this.#standing = { kind: 'ended', message: end.message }
  }

  wasProposed({ toolCallId }: StepCall): boolean {
    return this.#proposed.has(toolCallId)
  }

  /** Before a call runs. */
  async proposed(call: StepCall): Promise<HostAnswer> {
    this.#proposed.add(call.toolCallId)
    const answer = await this.#tell({ kind: 'tool-proposed', call: callOf(call, this.#options.acts) })
    if (answer.kind === 'refuse' || answer.kind === 'end') this.#refused.add(call.toolCallId)
    return answer
  }

  /** A step of the model with all that its calls gave. At a claim the checks are asked before this resolves. */
  async stepEnded(step: StepLike): Promise<void> {
    this.#last = step
    const advice: string[] = []
    for (const event of eventsOfStep(step, this.#options.acts, this.#refused)) {
      const answer = await this.#tell(event)
      if (answer.kind === 'pass' && answer.context !== undefined) advice.push(answer.context)
    }
    if (this.isOver) return
    const waiting = waitingOf(step)
    if (waiting.length > 0) this.#standing = { kind: 'waiting', for: waiting }
    else if (isClaim(step)) await this.#claim(step)
    else if (step.finishReason === 'error' || step.finishReason === 'interrupted')
      this.#standing = { kind: 'broken' }
    else {
      this.#standing = { kind: 'working' }
      for (const words of advice) this.#options.say(words)
    }
  }

  /** A call of an earlier step, which had to wait. */
  async ranLater(
    call: StepCall,
    { type, output, error }: { readonly type: string; readonly output?: unknown; readonly error?: unknown },
    durationMs: number | undefined,
  ): Promise<void> {
    const time = durationMs === undefined ? {} : { durationMs: Math.max(0, durationMs) }
    const result: HostResult =
      type === 'tool-result'
        ? { status: 'ok', output: textOf(output), ...time }
        : { status: 'error', output: textOf(error), ...time }
    await this.#tell({ kind: 'tool-finished', call: callOf(call, this.#options.acts), result })
  }

  /** A bound of the host's own has ended it in the middle of its work: what the checks say of it is asked for all the same. */
  async cutShort(): Promise<void> {
    if (this.#standing.kind === 'working' && this.#last !== undefined) await this.#ask(this.#last.text)
    await this.#tell({ kind: 'session-ended' })
  }

  /** An error, or an abort. */
  async broken(message: string): Promise<void> {
    if (this.isOver) return
    this.#standing = { kind: 'broken' }
    await this.#tell({ kind: 'turn-failed', message })
    await this.#tell({ kind: 'session-ended' })
  }

  async #claim(step: StepLike): Promise<void> {
    const answer = await this.#ask(step.text)
    if (answer.kind !== 'send-back') return
    this.#sendBacks += 1
    this.#options.say(answer.feedback)
  }

  async #ask(text: string): Promise<HostAnswer> {
    const wasSentBack = this.#sendBacks > 0
    const answer = await this.#tell({ kind: 'stopping', text, wasSentBack, waitingFor: [] })
    if (answer.kind === 'pass') this.#standing = { kind: 'passed' }
    if (answer.kind === 'send-back') this.#standing = { kind: 'sent-back', feedback: answer.feedback }
    return answer
  }

  #tell(event: HostEvent): Promise<HostAnswer> {
    const { ride, signal } = this.#options
    const told = this.#told.then(() => ride.observe(event, signal))
    this.#told = told.catch(() => undefined)
    return told.then((answer) => {
      const notice = answer.kind === 'pass' || answer.kind === 'send-back' ? answer.notice : undefined
      if (notice !== undefined) this.#notices.push(notice)
      if (answer.kind === 'end' && !this.isOver) {
        this.#standing = { kind: 'ended', message: answer.message }
        this.#options.onEnd()
      }
      return answer
    })
  }
}
