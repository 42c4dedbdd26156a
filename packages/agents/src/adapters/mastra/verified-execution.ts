/** Options for an execution of Mastra whose word does not count: when the agent ends its turn the checks are asked, and it goes on. */
import { assertKnownKeys, type OptionKeys } from '@donecheck/engine/base'
import { fieldOf, textField } from '../../protocol/host/index.ts'
import {
  approvalIn,
  askingByItself,
  beginSdkSession,
  mayApprove,
  sdkKeys,
  type SdkOptions,
  type Verification,
} from '../../session/index.ts'
import { watchOptions } from './execution-options.ts'
import { MastraSession } from './session.ts'
import type { AgentLike } from './sdk.ts'
import { taskOf } from './translate.ts'

export interface VerifiedExecutionOptions<Options extends object = object> extends SdkOptions {
  /** Your own options of `generate` or `stream`: `maxSteps`, `memory`, `requestContext` and so on. */
  readonly executionOptions?: Options
}

const verifiedExecutionKeys: OptionKeys<VerifiedExecutionOptions> = { ...sdkKeys, executionOptions: true }

export interface VerifiedExecution<Options extends object = object> {
  /** For `agent.stream(input, options)`, `agent.generate(input, options)`, and what resumes them. */
  readonly options: Options
  /** A person has approved a suspended call: needed where our gate wanted it, before it is resumed. */
  approve(toolCallId: string): void
  /**
   * What our gate and approver say of a suspended call, as what it is resumed with. Undefined: it is for somebody else to say.
   * @param ended the result, or the awaited stream
   */
  answerFor(ended: object): Promise<object | undefined>
  /** What the checks say, once it has ended or is suspended. @param ended the result, or the awaited stream */
  verification(ended?: object): Promise<Verification>
  /** It ended by an error. */
  fail(error: unknown): Promise<Verification>
}

/**
 * One hosted session for one execution. `verifiedGenerate` does all of this by itself; for streams:
 * `const watched = await verifiedExecution(agent, input, { … })`, `await agent.stream(input, watched.options)`, and at its end
 * `await watched.verification(stream)`.
 * @throws {UsageError} for options that contradict each other or can never work
 */
export async function verifiedExecution<Options extends object = object>(
  agent: AgentLike,
  input: unknown,
  options: VerifiedExecutionOptions<Options>,
): Promise<VerifiedExecution<Options>> {
  assertKnownKeys(options, verifiedExecutionKeys, 'verifiedExecution')
  const { executionOptions, ...given } = options
  const choices = askingByItself(given)
  const requestContext = fieldOf(executionOptions, 'requestContext')
  const own: object = {
    ...defaultsOf(await agent.getDefaultOptions?.({ requestContext } as never)),
    ...executionOptions,
  }
  const session = new MastraSession(await beginSdkSession('mastra', choices, fieldOf(own, 'abortSignal')))
  let condition: string | undefined
  const watched = await watchOptions(agent, own, {
    session,
    asksByApproval: choices.onGatePrompt === 'ask',
    onStopped: (name) => {
      condition ??= name
    },
  })
  await session.recordPrompt(taskOf(input))
  return {
    // As the user has typed them, with more in them.
    options: watched as Options,
    approve: (toolCallId) => session.approve(toolCallId),
    answerFor: async (ended) => (mayApprove(options) ? answerFor(ended, session) : undefined),
    verification: async (ended) => {
      const end = await settleEnd(ended)
      return endedAs(end, session, condition ?? boundOf(end, own, session))
    },
    fail: async (error) => {
      await session.recordFailure(error)
      await session.over()
      return session.verification()
    },
  }
}

interface Ended {
  readonly finishReason: string | undefined
  readonly suspended: string | undefined
  readonly tripwire: string | undefined
}

/** Of a result; or of a stream, whose fields are promises. */
async function settleEnd(ended: object | undefined): Promise<Ended> {
  const finishReason: unknown = await fieldOf(ended, 'finishReason')
  const payload: unknown = await fieldOf(ended, 'suspendPayload')
  const tripwire: unknown = await fieldOf(ended, 'tripwire')
  const reason = textField(tripwire, 'reason')
  return {
    finishReason: typeof finishReason === 'string' ? finishReason : undefined,
    suspended: finishReason === 'suspended' ? (textField(payload, 'toolName') ?? 'a tool') : undefined,
    tripwire: reason === undefined ? undefined : `tripwire: ${reason}`,
  }
}

async function endedAs(ended: Ended, session: MastraSession, stoppedBy: string): Promise<Verification> {
  if (session.ended !== undefined) return session.verification()
  if (ended.suspended !== undefined) return session.verification({ waitingFor: [ended.suspended] })
  await session.cutShort()
  return session.verification({ stoppedBy })
}

/** Which bound of Mastra's own has ended it. */
function boundOf({ tripwire, finishReason }: Ended, own: object, { steps }: MastraSession): string {
  const most = fieldOf(own, 'maxSteps')
  if (typeof most === 'number' && steps >= most) return `maxSteps (${most})`
  return tripwire ?? `finish reason ${finishReason ?? 'unknown'}`
}

async function answerFor(ended: object, session: MastraSession): Promise<object | undefined> {
  const payload: unknown = await fieldOf(ended, 'suspendPayload')
  const toolCallId = textField(payload, 'toolCallId')
  const tool = textField(payload, 'toolName')
  // A tool that suspends itself waits for more than a yes.
  const isApproval = fieldOf(payload, 'suspendPayload') === undefined
  if (toolCallId === undefined || tool === undefined || !isApproval) return undefined
  return approvalIn(await session.proposeToolCall(toolCallId, tool, fieldOf(payload, 'args')))
}

function defaultsOf(given: unknown): object {
  return typeof given === 'object' && given !== null ? given : {}
}
