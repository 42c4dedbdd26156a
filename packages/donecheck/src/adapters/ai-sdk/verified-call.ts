/** One call of a verified agent, from the prompt to what the checks say of its end. */
import { experimental_createSteering as createSteering } from 'ai'
import type { ToolActs } from '../../agents/index.ts'
import { verificationOf, type Ride, type Verification } from '../../ride/index.ts'
import {
  answeredBy,
  listening,
  openIds,
  taskOf,
  type AgentCall,
  type ExecutionEnd,
  type SteeringLike,
} from './call.ts'
import { Generation } from './generation.ts'
import type { Guarding } from './guard.ts'
import { textOf } from './json.ts'
import type { StepCall, StepLike } from './step.ts'
import { endSpan, type SpanLike } from './trace.ts'

/** Rides whose agent waits for a person or a tool of the host, by the ids that will be answered. */
export type OpenRides = Map<string, Ride>

export interface VerifiedCallParts {
  readonly acts: ToolActs
  readonly mayApprove: boolean
  readonly span: SpanLike
  readonly openRides: OpenRides
  beginRide(signal: AbortSignal | undefined): Promise<Ride>
  readonly onVerification: (verification: Verification) => void
}

/** The agent could not be stopped in any other way than by breaking its call off. */
export class BrokenOffError extends Error {
  override readonly name = 'BrokenOffError'
  readonly verification: Verification

  constructor(message: string, verification: Verification, options?: ErrorOptions) {
    super(message, options)
    this.verification = verification
  }
}

/** Open rides that are remembered; the oldest is forgotten, and its approval begins another run. */
const mostOpenIds = 1000

export class VerifiedCall {
  readonly #parts: VerifiedCallParts
  readonly #ride: Ride
  readonly #generation: Generation
  readonly #breaker = new AbortController()
  #steering: SteeringLike
  #delivery: Promise<{ readonly type: string }> | undefined
  #stoppedBy: string | undefined
  #last: StepLike | undefined
  #hasStep = false
  /** What of ours has failed: then nothing that was said counts. */
  #failure: { readonly error: unknown } | undefined
  #closed: Promise<Verification> | undefined
  /** The agent asks our stop condition and our gate. */
  isGuarded = false

  private constructor(parts: VerifiedCallParts, ride: Ride, call: AgentCall) {
    this.#parts = parts
    this.#ride = ride
    this.#steering = call.experimental_steering ?? createSteering()
    this.#generation = new Generation({
      ride,
      acts: parts.acts,
      signal: call.abortSignal,
      say: (message) => {
        this.#delivery = this.#steering.steer(message)
      },
      onEnd: () => {
        if (!this.isGuarded) this.#breaker.abort(new Error('donecheck has ended the run'))
      },
    })
  }

  static async begin(call: AgentCall, parts: VerifiedCallParts): Promise<VerifiedCall> {
    const open = answeredBy(call)
      .map((id) => parts.openRides.get(id))
      .find((ride) => ride !== undefined && ride.end === undefined)
    const ride = open ?? (await parts.beginRide(call.abortSignal))
    const verified = new VerifiedCall(parts, ride, call)
    if (open === undefined) await verified.#generation.prompted(taskOf(call))
    if (verified.#generation.isOver) throw await verified.#brokenOff(undefined)
    return verified
  }

  get guarding(): Guarding {
    return {
      generation: () => this.#generation,
      mayApprove: this.#parts.mayApprove,
      onCondition: (name) => {
        this.#stoppedBy ??= name
      },
    }
  }

  /** The caller's parameters with our listeners, for one call of the agent. */
  parametersFor<Call extends AgentCall>(call: Call): Call {
    const signals = [call.abortSignal, this.#breaker.signal].filter((signal) => signal !== undefined)
    return {
      ...listening(call, {
        onStepStart: () => {
          this.#hasStep = true
          if (this.#generation.isOver) this.#breaker.abort(new Error('donecheck has ended the run'))
        },
        onStepEnd: (step) => this.#guarded(() => this.#stepEnded(step)),
        onToolExecutionStart: ({ toolCall }) => this.#guarded(() => this.#starts(toolCall)),
        onToolExecutionEnd: (end) => this.#guarded(() => this.#finished(end)),
      }),
      abortSignal: AbortSignal.any(signals),
      experimental_steering: this.#steering,
    }
  }

  /** What the model was last told, where the agent knows no way to hear it while it works: another call must bring it. */
  async unheard(): Promise<string | undefined> {
    const { standing } = this.#generation
    if (standing.kind !== 'sent-back' || this.#stoppedBy !== undefined || this.#delivery === undefined)
      return undefined
    const outcome = await Promise.race([this.#delivery, Promise.resolve({ type: 'unheard' })])
    if (outcome.type !== 'unheard') return undefined
    this.#steering = createSteering()
    return standing.feedback
  }

  /** The agent's call is over. @throws what of ours has failed */
  end(): Promise<Verification> {
    return this.#close(async () => {
      const { standing } = this.#generation
      if (standing.kind === 'broken') await this.#generation.broken('the model ended its turn with an error')
      if (standing.kind === 'working' || standing.kind === 'sent-back') await this.#generation.cutShort()
      if (standing.kind === 'waiting') this.#keepOpen()
    })
  }

  /** The agent's call has failed, or was aborted. @returns what is thrown to the caller */
  async fail(error: unknown): Promise<unknown> {
    if (error instanceof BrokenOffError) return error
    if (this.#breaker.signal.aborted) return this.#brokenOff(error)
    await this.#close(() => this.#generation.broken(textOf(error)))
    return error
  }

  async #brokenOff(cause: unknown): Promise<BrokenOffError> {
    const why = textOf(this.#breaker.signal.reason)
    const verification = await this.#close(() => this.#generation.broken(why))
    return new BrokenOffError(verification.transition?.message ?? why, verification, { cause })
  }

  #close(work: () => Promise<void>): Promise<Verification> {
    this.#closed ??= this.#finish(work)
    return this.#closed
  }

  async #finish(work: () => Promise<void>): Promise<Verification> {
    try {
      if (this.#failure !== undefined) throw this.#failure.error
      await work()
      return this.#verification()
    } finally {
      const verification = this.#verification()
      endSpan(this.#parts.span, verification)
      this.#parts.onVerification(verification)
    }
  }

  #verification(): Verification {
    const { standing, sendBacks, notices } = this.#generation
    const waitingFor = standing.kind === 'waiting' ? standing.for : []
    return verificationOf(this.#ride, { sendBacks, notices, waitingFor, stoppedBy: this.#stoppedBy })
  }

  async #stepEnded(step: StepLike): Promise<void> {
    this.#last = step
    const before = this.#generation.sendBacks
    await this.#generation.stepEnded(step)
    const { sendBacks } = this.#generation
    if (sendBacks > before) this.#parts.span.addEvent('donecheck.sent_back', { times: sendBacks })
  }

  /** A call that our gate was not asked about: where it must not run, the agent is broken off. */
  async #starts(call: StepCall): Promise<void> {
    if (this.#generation.wasProposed(call)) return
    const answer = await this.#generation.proposed(call)
    if (answer.kind === 'pass') return
    const reason = 'reason' in answer ? answer.reason : 'donecheck has ended the run'
    this.#breaker.abort(new Error(`${call.toolName} must not run: ${reason}`))
  }

  /** Calls that an earlier step has proposed and that were allowed since run before the first step. */
  async #finished({ toolCall, toolOutput, toolExecutionMs }: ExecutionEnd): Promise<void> {
    if (this.#hasStep) return
    await this.#generation.ranLater(toolCall, toolOutput, toolExecutionMs)
  }

  #keepOpen(): void {
    const { openRides } = this.#parts
    if (this.#last === undefined) return
    for (const id of openIds(this.#last)) openRides.set(id, this.#ride)
    for (const id of [...openRides.keys()].slice(0, Math.max(0, openRides.size - mostOpenIds)))
      openRides.delete(id)
  }

  /** The SDK ignores what a listener throws; we do not. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#failure ??= { error }
      this.#breaker.abort(error)
    }
  }
}
