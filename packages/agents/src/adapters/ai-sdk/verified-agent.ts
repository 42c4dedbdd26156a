import { assertKnownKeys, type OptionKeys } from '@donecheck/engine/base'
import {
  beginSdkSession,
  mayApprove,
  sdkKeys,
  type SdkOptions,
  type Verification,
  type HostedSession,
} from '../../session/index.ts'
import {
  agentCall,
  goingOn,
  streaming,
  type AgentCall,
  idsAnsweredBy,
  listening,
  openIds,
  taskOf,
  type ExecutionEnd,
  type SteeringLike,
  textOf,
  type StepCall,
  type StepLike,
} from './translate.ts'
import { guardSettings, type GuardSettings, type Guarding } from './guard.ts'
import { experimental_createSteering as createSteering } from 'ai'
import type { ToolActs } from '../../protocol/host/index.ts'
import { Generation } from './generation.ts'

export interface VerifiedAgentOptions extends SdkOptions {
  readonly onVerification?: (verification: Verification) => void
}

const verifiedAgentKeys: OptionKeys<VerifiedAgentOptions> = { ...sdkKeys, onVerification: true }

/** Only the part of the SDK's `Agent` that we use, so that the agents of every 7.x fit. */
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
  /**
   * @throws {BrokenOffError} where an agent without our guard had to be broken off at a cap, in a loop, or at a call that must
   * not run; it holds the verification
   */
  generate(
    ...call: Parameters<Wrapped['generate']>
  ): Promise<Awaited<ReturnType<Wrapped['generate']>> & { readonly verification: Verification }>
  stream(
    ...call: Parameters<Wrapped['stream']>
  ): Promise<Awaited<ReturnType<Wrapped['stream']>> & { readonly verification: Promise<Verification> }>
}

/**
 * @param agent made anew for every call from settings with our guard on them:
 * `(guard) => new ToolLoopAgent(guard({ model, tools }))`. An agent that is made already is taken too: then the gate hears of a call only
 * when it starts, and the only way to stop is to break the call off.
 * @throws {UsageError} at the call, for options that contradict each other or can never work
 */
export function verifiedAgent<Wrapped extends AnyAgent>(
  agent: Wrapped | ((guard: GuardSettings) => Wrapped),
  options: VerifiedAgentOptions,
): VerifiedAgent<Wrapped> {
  assertKnownKeys(options, verifiedAgentKeys, 'verifiedAgent')
  const make = makerOf(agent)
  const example = make((settings) => settings)
  const openSessions: OpenSessions = new Map()
  const begin = async (given: unknown) => {
    const call = agentCall(given)
    const verified = await VerifiedCall.begin(call, partsOf(options, openSessions))
    const guard = guardSettings(verified.guarding)
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

/** Goes on in another call where the agent cannot be told anything while it works. */
async function generateVerified<Wrapped extends AnyAgent>({ call: first, verified, made }: Begun<Wrapped>) {
  type Result = Awaited<ReturnType<Wrapped['generate']>>
  try {
    let call = first
    for (;;) {
      const result = await ask<Result>(made, 'generate', verified.parametersFor(call))
      const feedback = await verified.unheard()
      if (feedback === undefined) return Object.assign(result, { verification: await verified.end() })
      call = goingOn(call, result, feedback)
    }
  } catch (error) {
    throw await verified.fail(error)
  }
}

async function streamVerified<Wrapped extends AnyAgent>({ call, verified, made }: Begun<Wrapped>) {
  type Result = Awaited<ReturnType<Wrapped['stream']>>
  const { promise, resolve } = Promise.withResolvers<Verification>()
  // Who does not ask for it learns of a failure of ours by onVerification alone.
  promise.catch(() => undefined)
  const parameters = streaming(verified.parametersFor(call), {
    onEnd: () => resolve(verified.end()),
    onBroken: (problem) => resolve(verified.fail(problem).then(() => verified.end())),
  })
  try {
    return Object.assign(await ask<Result>(made, 'stream', parameters), { verification: promise })
  } catch (error) {
    throw await verified.fail(error)
  }
}

async function ask<Result>(
  agent: AnyAgent,
  how: 'generate' | 'stream',
  parameters: AgentCall,
): Promise<Result> {
  const asked: unknown =
    how === 'generate' ? agent.generate(parameters as never) : agent.stream(parameters as never)
  return (await asked) as Result
}

interface Begun<Wrapped> {
  readonly call: AgentCall
  readonly verified: VerifiedCall
  readonly made: Wrapped
}

function makerOf<Wrapped extends AnyAgent>(
  agent: Wrapped | ((guard: GuardSettings) => Wrapped),
): (guard: GuardSettings) => Wrapped {
  return typeof agent === 'function' ? agent : () => agent
}

function partsOf(options: VerifiedAgentOptions, openSessions: OpenSessions): VerifiedCallParts {
  const { onVerification = () => undefined, ...choices } = options
  return {
    ...{ openSessions, onVerification },
    acts: options.acts ?? {},
    mayApprove: mayApprove(options),
    beginSession: async (signal) => (await beginSdkSession('ai-sdk', choices, signal)).hostedSession,
  }
}

export type OpenSessions = Map<string, HostedSession>

export interface VerifiedCallParts {
  readonly acts: ToolActs
  readonly mayApprove: boolean
  readonly openSessions: OpenSessions
  beginSession(signal: AbortSignal | undefined): Promise<HostedSession>
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

/** Open hosted sessions that are remembered; the oldest is forgotten, and its approval begins another run. */
const maxOpenIds = 1000

export class VerifiedCall {
  readonly #parts: VerifiedCallParts
  readonly #hostedSession: HostedSession
  readonly #generation: Generation
  readonly #breaker = new AbortController()
  #steering: SteeringLike
  #delivery: Promise<{ readonly type: string }> | undefined
  #stoppedBy: string | undefined
  #last: StepLike | undefined
  #hasStep = false
  #failure: { readonly error: unknown } | undefined
  #closed: Promise<Verification> | undefined
  isGuarded = false

  private constructor(parts: VerifiedCallParts, hostedSession: HostedSession, call: AgentCall) {
    this.#parts = parts
    this.#hostedSession = hostedSession
    this.#steering = call.experimental_steering ?? createSteering()
    this.#generation = new Generation({
      hostedSession,
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
    const open = idsAnsweredBy(call)
      .map((id) => parts.openSessions.get(id))
      .find((hostedSession) => hostedSession !== undefined && hostedSession.end === undefined)
    const hostedSession = open ?? (await parts.beginSession(call.abortSignal))
    const verified = new VerifiedCall(parts, hostedSession, call)
    if (open === undefined) await verified.#generation.recordPrompt(taskOf(call))
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
    const { currentStatus: status } = this.#generation
    if (status.kind !== 'blocked' || this.#stoppedBy !== undefined || this.#delivery === undefined)
      return undefined
    const outcome = await Promise.race([this.#delivery, Promise.resolve({ type: 'unheard' })])
    if (outcome.type !== 'unheard') return undefined
    this.#steering = createSteering()
    return status.feedback
  }

  /** The agent's call is over. @throws what of ours has failed */
  end(): Promise<Verification> {
    return this.#close(async () => {
      const { currentStatus: status } = this.#generation
      if (status.kind === 'broken')
        await this.#generation.recordFailure('the model ended its turn with an error')
      if (status.kind === 'working' || status.kind === 'blocked') await this.#generation.cutShort()
      if (status.kind === 'waiting') this.#keepOpen()
    })
  }

  /** The agent's call has failed, or was aborted. @returns what is thrown to the caller */
  async fail(error: unknown): Promise<unknown> {
    if (error instanceof BrokenOffError) return error
    if (this.#breaker.signal.aborted) return this.#brokenOff(error)
    await this.#close(() => this.#generation.recordFailure(textOf(error)))
    return error
  }

  async #brokenOff(cause: unknown): Promise<BrokenOffError> {
    const why = textOf(this.#breaker.signal.reason)
    const verification = await this.#close(() => this.#generation.recordFailure(why))
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
      this.#parts.onVerification(this.#verification())
    }
  }

  #verification(): Verification {
    const { currentStatus: status } = this.#generation
    const waitingFor = status.kind === 'waiting' ? status.for : []
    return this.#generation.verification({ waitingFor, stoppedBy: this.#stoppedBy })
  }

  async #stepEnded(step: StepLike): Promise<void> {
    this.#last = step
    await this.#generation.recordModelStep(step)
  }

  /** A call that our gate was not asked about: where it must not run, the agent is broken off. */
  async #starts(call: StepCall): Promise<void> {
    if (this.#generation.wasProposed(call)) return
    const answer = await this.#generation.proposeToolCall(call)
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
    const { openSessions } = this.#parts
    if (this.#last === undefined) return
    for (const id of openIds(this.#last)) openSessions.set(id, this.#hostedSession)
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
