/** Options of an execution of Mastra, with ours beside those that stand there already. */
import { fieldOf, listField, textField } from '../../protocol/host/index.ts'
import { refusalIn } from '../../session/index.ts'
import { UsageError } from '@donecheck/engine/base'
import type { MastraSession } from './session.ts'
import {
  callablesOf,
  isCallable,
  listOf,
  type AgentLike,
  type ScorerInput,
  type Callable,
  type ScorerAnswer,
} from './sdk.ts'
import { resultOf } from './translate.ts'

export interface Watching {
  readonly session: MastraSession
  /** Calls of which the gate wants somebody to be asked are suspended. */
  readonly asksByApproval: boolean
  /** A condition of the user's own was met. */
  readonly onStopped: (name: string) => void
}

/** Long enough for any check: they have bounds of their own. */
const maxScoringMs = 2_147_483_647

/** Where nobody says how many steps there may be Mastra ends after five, without a word. The caps of donecheck bound it. */
const mostSteps = 1000

/**
 * @param own what the user has given, over what the agent has by default
 * @throws {UsageError} where they ask scorers of their own at the same time
 */
export async function watchOptions(agent: AgentLike, own: object, watching: Watching): Promise<object> {
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
  if (listField(fieldOf(own, 'isTaskComplete'), 'scorers').length > 0)
    throw new UsageError(
      'isTaskComplete.scorers would decide beside the checks: give each as a check, hardVerifiers: [scorerVerifier(scorer)]',
    )
}

async function ownProcessors(agent: AgentLike, own: object): Promise<readonly unknown[]> {
  if (Array.isArray(fieldOf(own, 'outputProcessors'))) return listField(own, 'outputProcessors')
  const requestContext = fieldOf(own, 'requestContext')
  return listOf(await agent.listConfiguredOutputProcessors?.(requestContext as never))
}

/** Tells every reply with what it used, before its calls run. */
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

/** Those of an execution stand in for the agent's own of the same name. */
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
      // What the model reads in place of a result.
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
  const tool = textField(asked, 'toolName') ?? 'a tool'
  const context = fieldOf(asked, 'context')
  const callId =
    textField(context, 'toolCallId') ?? textField(fieldOf(context, 'agent'), 'toolCallId') ?? tool
  return { callId, tool, input: fieldOf(asked, 'input') }
}

/** The claim: where the model has nothing more to do, the checks are asked. */
function claimScorer(session: MastraSession): object {
  return {
    id: 'donecheck',
    name: 'donecheck',
    run: async ({ output }: ScorerInput): Promise<ScorerAnswer> => {
      const answer = await session.recordClaim(typeof output === 'string' ? output : '')
      if (answer.kind === 'block') return { score: 0, reason: answer.feedback }
      const { end } = session.hostedSession
      const score = end?.outcome === 'verified' ? 1 : 0
      return { score, reason: end?.message ?? 'nothing was checked' }
    },
  }
}

/** After each reply and its calls: theirs is asked as well, and whoever says stop is heard. */
function iterationHandler(own: unknown, session: MastraSession): Callable {
  const theirs = isCallable(own) ? own : () => undefined
  return async (iteration) => {
    const advice = await session.stepEnded()
    const said: unknown = await Promise.resolve()
      .then(() => theirs(iteration))
      .catch(() => undefined)
    if (session.ended !== undefined) return { continue: false }
    const feedback = [textField(said, 'feedback') ?? '', ...advice].filter((text) => text !== '').join('\n\n')
    const wish = fieldOf(said, 'continue')
    if (feedback === '') return typeof wish === 'boolean' ? { continue: wish } : undefined
    return { feedback, ...(typeof wish === 'boolean' ? { continue: wish } : {}) }
  }
}

/** Mastra's own way to ask a person: the call is suspended until somebody resumes it. */
function approvalOf(own: unknown, session: MastraSession): Callable {
  return async (asked) => {
    const tool = textField(asked, 'toolName') ?? ''
    const args = fieldOf(asked, 'args')
    const callId = session.callIdOf(tool, args)
    const answer = callId === undefined ? undefined : await session.proposeToolCall(callId, tool, args)
    // What is refused nobody is asked for.
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
