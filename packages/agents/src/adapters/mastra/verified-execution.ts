import { assertKnownKeys, type OptionKeys, UsageError } from '@donecheck/engine/base'
import { fieldOf, textIn, listIn } from '../../protocol/host/index.ts'
import {
  approvalIn,
  askingByItself,
  beginSdkSession,
  mayApprove,
  sdkKeys,
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

const verifiedExecutionKeys: OptionKeys<VerifiedExecutionOptions> = { ...sdkKeys, executionOptions: true }

export interface VerifiedExecution<Options extends object = object> {
  /** For `agent.stream(input, options)`, `agent.generate(input, options)`, and what resumes them. */
  readonly options: Options
  /** A person has approved a suspended call: needed where our gate wanted it, before it is resumed. */
  approve(toolCallId: string): void
  /** Our answer to a suspended call, to resume it with. @returns undefined if another must decide */
  answerFor(ended: object): Promise<object | undefined>
  /** What the checks say once the execution has ended or is suspended. @param ended the result or the awaited stream */
  verification(ended?: object): Promise<Verification>
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
  await session.recordPrompt(taskIn(input))
  return {
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

async function settleEnd(ended: object | undefined): Promise<Ended> {
  const finishReason: unknown = await fieldOf(ended, 'finishReason')
  const payload: unknown = await fieldOf(ended, 'suspendPayload')
  const tripwire: unknown = await fieldOf(ended, 'tripwire')
  const reason = textIn(tripwire, 'reason')
  return {
    finishReason: typeof finishReason === 'string' ? finishReason : undefined,
    suspended: finishReason === 'suspended' ? (textIn(payload, 'toolName') ?? 'a tool') : undefined,
    tripwire: reason === undefined ? undefined : `tripwire: ${reason}`,
  }
}

async function endedAs(ended: Ended, session: MastraSession, stoppedBy: string): Promise<Verification> {
  if (session.ended !== undefined) return session.verification()
  if (ended.suspended !== undefined) return session.verification({ waitingFor: [ended.suspended] })
  await session.cutShort()
  return session.verification({ stoppedBy })
}

function boundOf({ tripwire, finishReason }: Ended, own: object, { steps }: MastraSession): string {
  const most = fieldOf(own, 'maxSteps')
  if (typeof most === 'number' && steps >= most) return `maxSteps (${most})`
  return tripwire ?? `finish reason ${finishReason ?? 'unknown'}`
}

async function answerFor(ended: object, session: MastraSession): Promise<object | undefined> {
  const payload: unknown = await fieldOf(ended, 'suspendPayload')
  const toolCallId = textIn(payload, 'toolCallId')
  const tool = textIn(payload, 'toolName')
  const isApproval = fieldOf(payload, 'suspendPayload') === undefined
  if (toolCallId === undefined || tool === undefined || !isApproval) return undefined
  return approvalIn(await session.proposeToolCall(toolCallId, tool, fieldOf(payload, 'args')))
}

function defaultsOf(given: unknown): object {
  return typeof given === 'object' && given !== null ? given : {}
}

interface Watching {
  readonly session: MastraSession
  readonly asksByApproval: boolean
  readonly onStopped: (name: string) => void
}

const maxScoringMs = 2_147_483_647

/** Without a limit Mastra ends after five steps. The caps of donecheck apply. */
const mostSteps = 1000

/** @throws {UsageError} if the user asks scorers of their own */
async function watchOptions(agent: AgentLike, own: object, watching: Watching): Promise<object> {
  refuseOwnScorers(own)
  const { session, asksByApproval } = watching
  const maxSteps = fieldOf(own, 'maxSteps')
  const stopWhen = fieldOf(own, 'stopWhen')
  const hasOwnBound = maxSteps !== undefined || stopWhen !== undefined
  const isTaskComplete = { timeout: maxScoringMs, ...asObject(fieldOf(own, 'isTaskComplete')) }
  return {
    ...own,
    ...(hasOwnBound ? {} : { maxSteps: mostSteps }),
    ...(stopWhen === undefined ? {} : { stopWhen: namedConditions(stopWhen, watching) }),
    outputProcessors: [...(await ownProcessors(agent, own)), replyProcessor(session)],
    hooks: toolHooks(await ownHooks(agent, own), session),
    isTaskComplete: { ...isTaskComplete, scorers: [claimScorer(session)] },
    onIterationComplete: iterationHandler(fieldOf(own, 'onIterationComplete'), session),
    ...(asksByApproval
      ? { requireToolApproval: approvalOf(fieldOf(own, 'requireToolApproval'), session) }
      : {}),
  }
}

function refuseOwnScorers(own: object): void {
  if (listIn(fieldOf(own, 'isTaskComplete'), 'scorers').length > 0)
    throw new UsageError(
      'isTaskComplete.scorers would decide beside the checks: call each from a check of yours: hardVerifiers: [async ({ finalText }) => …]',
    )
}

async function ownProcessors(agent: AgentLike, own: object): Promise<readonly unknown[]> {
  if (Array.isArray(fieldOf(own, 'outputProcessors'))) return listIn(own, 'outputProcessors')
  const requestContext = fieldOf(own, 'requestContext')
  return listOf(await agent.listConfiguredOutputProcessors?.(requestContext as never))
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

interface OwnHooks {
  readonly before: Callable | undefined
  readonly after: Callable | undefined
}

async function ownHooks(agent: AgentLike, own: object): Promise<OwnHooks> {
  const ofAgent = await agent.getConfiguredToolHooks?.()
  const pick = (name: string): Callable | undefined =>
    [fieldOf(fieldOf(own, 'hooks'), name), fieldOf(ofAgent, name)].find(isCallable)
  return { before: pick('beforeToolCall'), after: pick('afterToolCall') }
}

function toolHooks({ before, after }: OwnHooks, session: MastraSession): object {
  return {
    beforeToolCall: async (asked: unknown) => {
      const { callId, tool, input } = callIn(asked)
      const answer = await session.proposeToolCall(callId, tool, input)
      const refusal = answer.kind === 'ask' && session.isApproved(callId) ? undefined : refusalIn(answer)
      if (refusal !== undefined) return { proceed: false, output: refusal }
      const theirs: unknown = await before?.(asked)
      // What they answer in place of the tool is its result all the same.
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
      const { end } = session.hostedSession
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
 * @param input what `generate` takes, or what a suspended generation is resumed with
 * @throws {UsageError} for options that contradict each other or can never work
 * @throws what Mastra throws; it is recorded as the end of the run
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
