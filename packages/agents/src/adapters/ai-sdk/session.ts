import { assertKnownKeys, type OptionKeys } from '@donecheck/engine/base'
import {
  beginSdkSession,
  mayApprove,
  sdkKeys,
  type SdkOptions,
  type Verification,
} from '../../session/index.ts'
import { agentCall, goingOn, streaming, type AgentCall } from './call.ts'
import { guardSettings, type GuardSettings } from './guard.ts'
import { VerifiedCall, type OpenSessions, type VerifiedCallParts } from './verified-call.ts'

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
