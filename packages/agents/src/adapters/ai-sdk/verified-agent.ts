import { z } from 'zod'
import { experimental_createSteering as createSteering } from 'ai'
import { assertOptions, type OptionShape } from '@donecheck/engine/internal/base'
import { functionShape } from '@donecheck/engine/internal/ports/options'
import type { HostAnswer, HostCall, HostEvent } from '../../protocol/host/index.ts'
import {
  beginSdkSession,
  mayApprove,
  SdkSession,
  sdkOptions,
  taskIn,
  type AgentSession,
  type SdkOptions,
  type Verification,
} from '../../session/index.ts'
import { guardSettings, type GuardSettings } from './guard.ts'
import {
  agentCall,
  callOf,
  endedCallsOf,
  goingOn,
  idsAnsweredBy,
  isClaim,
  listening,
  openIds,
  resultOf,
  streaming,
  textOf,
  usageOf,
  waitingOf,
  type AgentCall,
  type ExecutionEnd,
  type SteeringLike,
  type StepCall,
  type StepLike,
} from './translate.ts'

export interface VerifiedAgentOptions extends SdkOptions {
  readonly onVerification?: (verification: Verification) => void
}

const verifiedAgentOptions = z.strictObject<OptionShape<VerifiedAgentOptions>>({
  ...sdkOptions.shape,
  onVerification: functionShape.optional(),
})

/** Declares only the part of the SDK's `Agent` that we use, so that the agents of every 7.x fit. */
export interface AnyAgent {
  readonly version: 'agent-v1'
  readonly id: string | undefined
  readonly tools: object
  generate(call: never): PromiseLike<object>
  stream(call: never): PromiseLike<object>
}

export interface VerifiedAgent<Wrapped extends AnyAgent> {
  readonly version: 'agent-v1'
  readonly id: Wrapped['id']
  readonly tools: Wrapped['tools']
  /** @throws {BrokenOffError} if an agent without our guard had to be broken off */
  generate(
    ...call: Parameters<Wrapped['generate']>
  ): Promise<Awaited<ReturnType<Wrapped['generate']>> & { readonly verification: Verification }>
  stream(
    ...call: Parameters<Wrapped['stream']>
  ): Promise<Awaited<ReturnType<Wrapped['stream']>> & { readonly verification: Promise<Verification> }>
}

/**
 * @param agent creates the agent for every call with our guard: `(guard) => new ToolLoopAgent(guard({ model,
 * tools }))`. With an existing agent the gate sees a call only when it starts, and stopping means aborting
 * the call.
 * @throws {UsageError} at the call, for options that contradict each other or can never work
 */
export function verifiedAgent<Wrapped extends AnyAgent>(
  agent: Wrapped | ((guard: GuardSettings) => Wrapped),
  options: VerifiedAgentOptions,
): VerifiedAgent<Wrapped> {
  assertOptions(verifiedAgentOptions, options, 'verifiedAgent')
  const make = typeof agent === 'function' ? agent : () => agent
  const example = make((settings) => settings)
  const { onVerification = () => undefined, ...choices } = options
  const watching = { onVerification, openSessions: new Map<string, AgentSession>() }
  const begin = async (given: unknown) => {
    const call = agentCall(given)
    const verified = await VerifiedCall.begin(call, choices, watching)
    const guard = guardSettings(verified, mayApprove(options))
    const made = make((settings) => {
      verified.isGuarded = true
      return guard(settings)
    })
    return { call, verified, made }
  }
  return {
    version: 'agent-v1',
    id: example.id,
    tools: example.tools,
    generate: async (...[given]) => generateVerified<Wrapped>(await begin(given)),
    stream: async (...[given]) => streamVerified<Wrapped>(await begin(given)),
  }
}

interface Begun<Wrapped> {
  readonly call: AgentCall
  readonly verified: VerifiedCall
  readonly made: Wrapped
}

async function generateVerified<Wrapped extends AnyAgent>({ call: first, verified, made }: Begun<Wrapped>) {
  try {
    let call = first
    for (;;) {
      const asked: unknown = await made.generate(verified.parametersFor(call) as never)
      const result = asked as Awaited<ReturnType<Wrapped['generate']>>
      const feedback = await verified.unheard()
      if (feedback === undefined) return Object.assign(result, { verification: await verified.end() })
      call = goingOn(call, result, feedback)
    }
  } catch (error) {
    throw await verified.fail(error)
  }
}

async function streamVerified<Wrapped extends AnyAgent>({ call, verified, made }: Begun<Wrapped>) {
  const { promise, resolve } = Promise.withResolvers<Verification>()
  // A caller that does not await it learns of our failures only through onVerification.
  promise.catch(() => undefined)
  const parameters = streaming(verified.parametersFor(call), {
    onEnd: () => resolve(verified.end()),
    onBroken: (problem) => resolve(verified.fail(problem).then(() => verified.end())),
  })
  try {
    const asked: unknown = await made.stream(parameters as never)
    return Object.assign(asked as Awaited<ReturnType<Wrapped['stream']>>, { verification: promise })
  } catch (error) {
    throw await verified.fail(error)
  }
}

interface Watching {
  readonly onVerification: (verification: Verification) => void
  /** Sessions that wait for an approval or a host tool, by the ids that the answer contains. */
  readonly openSessions: Map<string, AgentSession>
}

/** The agent could only be stopped by aborting its call. */
export class BrokenOffError extends Error {
  override readonly name = 'BrokenOffError'
  readonly verification: Verification

  constructor(message: string, verification: Verification, options?: ErrorOptions) {
    super(message, options)
    this.verification = verification
  }
}

const maxOpenIds = 1000

export class VerifiedCall extends SdkSession {
  /** Our guard is in the agent's settings, so it ends by itself. */
  isGuarded = false
  readonly #watching: Watching
  readonly #breaker = new AbortController()
  readonly #proposed = new Set<string>()
  #open: readonly HostCall[] = []
  #steering: SteeringLike
  #delivery: Promise<{ readonly type: string }> | undefined
  #feedback: string | undefined
  #isBroken = false
  #stoppedBy: string | undefined
  #last: StepLike | undefined
  #hasStep = false
  #failure: { readonly error: unknown } | undefined
  #closed: Promise<Verification> | undefined

  private constructor(
    parts: ConstructorParameters<typeof SdkSession>[0],
    call: AgentCall,
    watching: Watching,
  ) {
    super(parts)
    this.#watching = watching
    this.#steering = call.experimental_steering ?? createSteering()
  }

  static async begin(call: AgentCall, choices: SdkOptions, watching: Watching): Promise<VerifiedCall> {
    const open = idsAnsweredBy(call)
      .map((id) => watching.openSessions.get(id))
      .find((agentSession) => agentSession !== undefined && agentSession.end === undefined)
    const parts =
      open === undefined
        ? await beginSdkSession('ai-sdk', choices, call.abortSignal)
        : { agentSession: open, acts: choices.acts ?? {}, signal: call.abortSignal }
    const verified = new VerifiedCall(parts, call, watching)
    if (open === undefined) await verified.recordPrompt(taskIn(call.prompt ?? call.messages))
    if (verified.ended !== undefined) throw await verified.#brokenOff(undefined)
    return verified
  }

  parametersFor<Call extends AgentCall>(call: Call): Call {
    const signals = [call.abortSignal, this.#breaker.signal].filter((signal) => signal !== undefined)
    return {
      ...listening(call, {
        onStepStart: () => {
          this.#hasStep = true
          if (this.ended !== undefined) this.#break('donecheck has ended the run')
        },
        onStepEnd: (step) => this.#guarded(() => this.#stepEnded(step)),
        onToolExecutionStart: ({ toolCall }) => this.#guarded(() => this.#starts(toolCall)),
        onToolExecutionEnd: (end) => this.#guarded(() => this.#finished(end)),
      }),
      abortSignal: AbortSignal.any(signals),
      experimental_steering: this.#steering,
    }
  }

  proposeToolCall(call: StepCall): Promise<HostAnswer> {
    this.#proposed.add(call.toolCallId)
    return this.proposeCall(callOf(call, this.acts))
  }

  noteCondition(name: string): void {
    this.#stoppedBy ??= name
  }

  /** Feedback for the model that it cannot receive while it works; another call must deliver it. */
  async unheard(): Promise<string | undefined> {
    if (this.#feedback === undefined || this.#stoppedBy !== undefined || this.#delivery === undefined)
      return undefined
    const outcome = await Promise.race([this.#delivery, Promise.resolve({ type: 'unheard' })])
    if (outcome.type !== 'unheard') return undefined
    this.#steering = createSteering()
    return this.#feedback
  }

  /** Ends the agent's call. @throws our own failures */
  end(): Promise<Verification> {
    return this.#close(async () => {
      if (this.#isBroken) await this.#recordBreak('the model ended its turn with an error')
      else if (this.waitingFor.length > 0) this.#keepOpen()
      else if (this.ended === undefined)
        await (this.#last === undefined ? this.over() : this.cutShort(this.#last.text))
    })
  }

  /** Handles a failed or aborted call. @returns the error to throw to the caller */
  async fail(error: unknown): Promise<unknown> {
    if (error instanceof BrokenOffError) return error
    if (this.#breaker.signal.aborted) return this.#brokenOff(error)
    await this.#close(() => this.#recordBreak(textOf(error)))
    return error
  }

  protected override async tell(event: HostEvent, signal?: AbortSignal): Promise<HostAnswer> {
    const wasOver = this.ended !== undefined
    const answer = await super.tell(event, signal)
    if (answer.kind === 'end' && !wasOver && !this.isGuarded) this.#break('donecheck has ended the run')
    return answer
  }

  async #brokenOff(cause: unknown): Promise<BrokenOffError> {
    const why = textOf(this.#breaker.signal.reason)
    const verification = await this.#close(() => this.#recordBreak(why))
    return new BrokenOffError(verification.transition?.message ?? why, verification, { cause })
  }

  #break(why: string): void {
    this.#breaker.abort(new Error(why))
  }

  async #recordBreak(problem: string): Promise<void> {
    if (this.ended !== undefined) return
    await this.recordFailure(problem)
    await this.over()
  }

  #close(work: () => Promise<void>): Promise<Verification> {
    this.#closed ??= this.#finish(work)
    return this.#closed
  }

  async #finish(work: () => Promise<void>): Promise<Verification> {
    const verification = () => this.verification({ stoppedBy: this.#stoppedBy })
    try {
      if (this.#failure !== undefined) throw this.#failure.error
      await work()
      return verification()
    } finally {
      this.#watching.onVerification(verification())
    }
  }

  async #stepEnded(step: StepLike): Promise<void> {
    this.#last = step
    this.#feedback = undefined
    const reply = { text: step.text, usage: usageOf(step.usage) }
    const advice = await this.recordStep(reply, endedCallsOf(step, this.acts))
    if (this.ended !== undefined) return
    for (const call of this.#open) this.answered(call)
    this.#open = waitingOf(step).map((call) => callOf(call, this.acts))
    for (const call of this.#open) this.waits(call)
    this.#isBroken = step.finishReason === 'error' || step.finishReason === 'interrupted'
    if (this.waitingFor.length > 0 || this.#isBroken) return
    if (isClaim(step)) this.#feedback = await this.verifyTurnEnd(step.text)
    for (const words of isClaim(step) ? [this.#feedback] : advice)
      if (words !== undefined) this.#delivery = this.#steering.steer(words)
  }

  async #starts(call: StepCall): Promise<void> {
    if (this.#proposed.has(call.toolCallId)) return
    const answer = await this.proposeToolCall(call)
    if (answer.kind === 'pass') return
    const reason = 'reason' in answer ? answer.reason : 'donecheck has ended the run'
    this.#break(`${call.toolName} must not run: ${reason}`)
  }

  /** Calls proposed by an earlier step run before the first step, once they are approved. */
  async #finished({ toolCall, toolOutput, toolExecutionMs }: ExecutionEnd): Promise<void> {
    if (this.#hasStep) return
    const result = resultOf(toolOutput, toolExecutionMs)
    await this.tell({ kind: 'tool-finished', call: callOf(toolCall, this.acts), result })
  }

  #keepOpen(): void {
    if (this.#last === undefined) return
    const { openSessions } = this.#watching
    for (const id of openIds(this.#last)) openSessions.set(id, this.agentSession)
    for (const id of [...openSessions.keys()].slice(0, Math.max(0, openSessions.size - maxOpenIds)))
      openSessions.delete(id)
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#failure ??= { error }
      this.#breaker.abort(error)
    }
  }
}
