import { z } from 'zod'
import { assertOptions, type OptionShape, UsageError } from '@donecheck/engine/internal/base'
import { fieldOf, textIn, listIn } from '../../protocol/host/index.ts'
import {
  approvalIn,
  askingByItself,
  beginSdkSession,
  mayApprove,
  sdkOptions,
  taskIn,
  type SdkOptions,
  type Verification,
  refusalIn,
} from '../../session/index.ts'
import {
  MastraSession,
  type AgentLike,
  callablesOf,
  isCallable,
  listOf,
  type ScorerInput,
  type Callable,
  type ScorerAnswer,
  resultOf,
} from './session.ts'

export interface VerifiedExecutionOptions<Options extends object = object> extends SdkOptions {
  /** Your own options of `generate` or `stream`: `maxSteps`, `memory`, `requestContext` and so on. */
  readonly executionOptions?: Options
}

const verifiedExecutionOptions = z.strictObject<OptionShape<VerifiedExecutionOptions>>({
  ...sdkOptions.shape,
  executionOptions: z.looseObject({}).optional(),
})

export interface VerifiedExecution<Options extends object = object> {
  /** For `agent.stream`, `agent.generate` and their resume methods. */
  readonly options: Options
  /** Reports a person's approval of a suspended call; required before resuming if our gate asked for it. */
  approve(toolCallId: string): void
  /** Our answer to a suspended call, to resume it with. @returns undefined if another must decide */
  answerFor(ended: object): Promise<object | undefined>
  /** The verification after the end or a suspension. @param ended the result or the awaited stream */
  verification(ended?: object): Promise<Verification>
  fail(error: unknown): Promise<Verification>
}

/**
 * For streams: pass `watched.options` to `agent.stream`, then call `watched.verification(stream)`.
 * `verifiedGenerate` does both.
 * @throws {UsageError} for invalid options
 */
export async function verifiedExecution<Options extends object = object>(
  agent: AgentLike,
  input: unknown,
  options: VerifiedExecutionOptions<Options>,
): Promise<VerifiedExecution<Options>> {
  assertOptions(verifiedExecutionOptions, options, 'verifiedExecution')
  const { executionOptions, ...given } = options
  const choices = askingByItself(given)
  const requestContext = fieldOf(executionOptions, 'requestContext')
  const defaults: unknown = await agent.getDefaultOptions?.({ requestContext } as never)
  const own: object = { ...asObject(defaults), ...executionOptions }
  const session = new MastraSession(await beginSdkSession('mastra', choices, fieldOf(own, 'abortSignal')))
  let condition: string | undefined
  const watched = await watchOptions(agent, own, {
    session,
    asksByApproval: choices.onGatePrompt === 'ask',
    onStopped: (name) => {
      condition ??= name
    },
  })
  await session.recordPrompt(taskIn(input))
  return {
    options: watched as Options,
    approve: (toolCallId) => session.approve(toolCallId),
    answerFor: async (ended) => (mayApprove(options) ? answerFor(ended, session) : undefined),
    verification: (ended) => endOf(ended, own, session, condition),
    fail: async (error) => {
      await session.recordFailure(error)
      await session.over()
      return session.verification()
    },
  }
}

/** @param condition the user's stop condition that was met */
async function endOf(
  ended: object | undefined,
  own: object,
  session: MastraSession,
  condition: string | undefined,
): Promise<Verification> {
  const finishReason: unknown = await fieldOf(ended, 'finishReason')
  const payload: unknown = await fieldOf(ended, 'suspendPayload')
  const tripwire = textIn(await fieldOf(ended, 'tripwire'), 'reason')
  if (session.ended !== undefined) return session.verification()
  if (finishReason === 'suspended')
    return session.verification({ waitingFor: [textIn(payload, 'toolName') ?? 'a tool'] })
  await session.cutShort()
  const maxSteps = fieldOf(own, 'maxSteps')
  const limit =
    typeof maxSteps === 'number' && session.steps >= maxSteps ? `maxSteps (${maxSteps})` : undefined
  const hostEnd =
    tripwire === undefined
      ? `finish reason ${typeof finishReason === 'string' ? finishReason : 'unknown'}`
      : `tripwire: ${tripwire}`
  return session.verification({ stoppedBy: condition ?? limit ?? hostEnd })
}

async function answerFor(ended: object, session: MastraSession): Promise<object | undefined> {
  const payload: unknown = await fieldOf(ended, 'suspendPayload')
  const toolCallId = textIn(payload, 'toolCallId')
  const tool = textIn(payload, 'toolName')
  // A tool that suspends itself needs more than an approval.
  const isApproval = fieldOf(payload, 'suspendPayload') === undefined
  if (toolCallId === undefined || tool === undefined || !isApproval) return undefined
  return approvalIn(await session.proposeToolCall(toolCallId, tool, fieldOf(payload, 'args')))
}

interface Watching {
  readonly session: MastraSession
  readonly asksByApproval: boolean
  readonly onStopped: (name: string) => void
}

const maxScoringMs = 2_147_483_647

/** Mastra's default is five steps; donecheck's caps apply instead. */
const mostSteps = 1000

/** @throws {UsageError} if the user asks for custom scorers */
async function watchOptions(agent: AgentLike, own: object, watching: Watching): Promise<object> {
  const { session, asksByApproval } = watching
  const isTaskComplete = fieldOf(own, 'isTaskComplete')
  if (listIn(isTaskComplete, 'scorers').length > 0)
    throw new UsageError(
      'isTaskComplete.scorers would decide beside the checks: call each from a check of yours: hardVerifiers: [async ({ finalText }) => …]',
    )
  const stopWhen = fieldOf(own, 'stopWhen')
  const hasOwnBound = fieldOf(own, 'maxSteps') !== undefined || stopWhen !== undefined
  const processors = Array.isArray(fieldOf(own, 'outputProcessors'))
    ? listIn(own, 'outputProcessors')
    : listOf(await agent.listConfiguredOutputProcessors?.(fieldOf(own, 'requestContext') as never))
  return {
    ...own,
    ...(hasOwnBound ? {} : { maxSteps: mostSteps }),
    ...(stopWhen === undefined ? {} : { stopWhen: namedConditions(stopWhen, watching) }),
    outputProcessors: [...processors, replyProcessor(session)],
    hooks: toolHooks([fieldOf(own, 'hooks'), await agent.getConfiguredToolHooks?.()], session),
    isTaskComplete: { timeout: maxScoringMs, ...asObject(isTaskComplete), scorers: [claimScorer(session)] },
    onIterationComplete: iterationHandler(fieldOf(own, 'onIterationComplete'), session),
    ...(asksByApproval
      ? { requireToolApproval: approvalOf(fieldOf(own, 'requireToolApproval'), session) }
      : {}),
  }
}

function replyProcessor(session: MastraSession): object {
  return {
    id: 'donecheck',
    name: 'donecheck',
    processOutputStep: async (step: unknown) => {
      await session.recordModelReply(step)
      return fieldOf(step, 'messageList') ?? fieldOf(step, 'messages')
    },
  }
}

/** @param own hooks of the execution, which replace the agent's hooks of the same name */
function toolHooks(own: readonly unknown[], session: MastraSession): object {
  const pick = (name: string) => own.map((hooks) => fieldOf(hooks, name)).find(isCallable)
  const [before, after] = [pick('beforeToolCall'), pick('afterToolCall')]
  return {
    beforeToolCall: async (asked: unknown) => {
      const { callId, tool, input } = callIn(asked)
      const answer = await session.proposeToolCall(callId, tool, input)
      const refusal = answer.kind === 'ask' && session.isApproved(callId) ? undefined : refusalIn(answer)
      if (refusal !== undefined) return { proceed: false, output: refusal }
      const theirs: unknown = await before?.(asked)
      // A replaced tool result counts as the tool's result.
      if (fieldOf(theirs, 'proceed') === false) session.ran(callId, tool, input, resultOf(theirs))
      return theirs
    },
    afterToolCall: async (ended: unknown) => {
      const { callId, tool, input } = callIn(ended)
      session.ran(callId, tool, input, resultOf(ended))
      await after?.(ended)
    },
  }
}

function callIn(asked: unknown) {
  const tool = textIn(asked, 'toolName') ?? 'a tool'
  const context = fieldOf(asked, 'context')
  const callId = textIn(context, 'toolCallId') ?? textIn(fieldOf(context, 'agent'), 'toolCallId') ?? tool
  return { callId, tool, input: fieldOf(asked, 'input') }
}

function claimScorer(session: MastraSession): object {
  return {
    id: 'donecheck',
    name: 'donecheck',
    run: async ({ output }: ScorerInput): Promise<ScorerAnswer> => {
      const feedback = await session.verifyTurnEnd(typeof output === 'string' ? output : '')
      if (feedback !== undefined) return { score: 0, reason: feedback }
      const { end } = session.agentSession
      const score = end?.outcome === 'verified' ? 1 : 0
      return { score, reason: end?.message ?? 'nothing was checked' }
    },
  }
}

function iterationHandler(own: unknown, session: MastraSession): Callable {
  const theirs = isCallable(own) ? own : () => undefined
  return async (iteration) => {
    const advice = await session.stepEnded()
    const said: unknown = await Promise.resolve()
      .then(() => theirs(iteration))
      .catch(() => undefined)
    if (session.ended !== undefined) return { continue: false }
    const feedback = [textIn(said, 'feedback') ?? '', ...advice].filter((text) => text !== '').join('\n\n')
    const wish = fieldOf(said, 'continue')
    if (feedback === '') return typeof wish === 'boolean' ? { continue: wish } : undefined
    return { feedback, ...(typeof wish === 'boolean' ? { continue: wish } : {}) }
  }
}

function approvalOf(own: unknown, session: MastraSession): Callable {
  return async (asked) => {
    const tool = textIn(asked, 'toolName') ?? ''
    const args = fieldOf(asked, 'args')
    const callId = session.callIdOf(tool, args)
    const answer = callId === undefined ? undefined : await session.proposeToolCall(callId, tool, args)
    if (answer?.kind === 'refuse' || answer?.kind === 'end') return false
    return answer?.kind === 'ask' || (isCallable(own) ? Boolean(await own(asked)) : own === true)
  }
}

function namedConditions(given: unknown, { onStopped }: Watching): readonly Callable[] {
  return callablesOf(given).map((condition, index) => async (asked) => {
    const isMet = Boolean(await condition(asked))
    if (isMet) onStopped(condition.name === '' ? `stop condition ${index + 1}` : condition.name)
    return isMet
  })
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

export interface VerifiedGeneration<Result extends object> {
  readonly result: Result
  readonly verification: Verification
}

export interface Resumption {
  readonly suspended: object
  readonly resumeData: object
}

const waiting = new WeakMap<object, VerifiedExecution>()

/**
 * @param input for `generate`, or for resuming a suspended generation
 * @throws {UsageError} for invalid options
 * @throws what Mastra throws
 */
export async function verifiedGenerate<Agent extends AgentLike>(
  agent: Agent,
  input: unknown,
  options: VerifiedExecutionOptions,
): Promise<VerifiedGeneration<Awaited<ReturnType<Agent['generate']>>>> {
  type Result = Awaited<ReturnType<Agent['generate']>>
  const isResumed = isResumption(input)
  const watched = isResumed ? waitingOf(input.suspended) : await verifiedExecution(agent, input, options)
  try {
    let result = isResumed
      ? await resumeAgent(agent, input, watched)
      : await agent.generate(input as never, watched.options as never)
    for (;;) {
      const verification = await watched.verification(result)
      if (verification.waitingFor.length === 0) return { result: result as Result, verification }
      const resumeData = await watched.answerFor(result)
      if (resumeData === undefined) {
        waiting.set(result, watched)
        return { result: result as Result, verification }
      }
      result = await resumeAgent(agent, { suspended: result, resumeData }, watched)
    }
  } catch (error) {
    await watched.fail(error)
    throw error
  }
}

function isResumption(input: unknown): input is Resumption {
  return typeof fieldOf(input, 'suspended') === 'object' && typeof fieldOf(input, 'resumeData') === 'object'
}

function waitingOf(suspended: object): VerifiedExecution {
  const watched = waiting.get(suspended)
  if (watched === undefined)
    throw new UsageError(
      'suspended is not the result of a verifiedGenerate that waits: give the result itself, once',
    )
  waiting.delete(suspended)
  return watched
}

async function resumeAgent(
  agent: AgentLike,
  { suspended, resumeData }: Resumption,
  watched: VerifiedExecution,
): Promise<object> {
  if (agent.resumeGenerate === undefined) throw new UsageError('this agent has no resumeGenerate')
  const runId = textIn(suspended, 'runId')
  const toolCallId = textIn(fieldOf(suspended, 'suspendPayload'), 'toolCallId')
  if (toolCallId !== undefined && fieldOf(resumeData, 'approved') === true) watched.approve(toolCallId)
  return agent.resumeGenerate(resumeData as never, { ...watched.options, runId, toolCallId } as never)
}
