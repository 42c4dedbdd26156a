/** Options of an execution of Mastra, with ours beside those that stand there already. */
import { fieldOf, listField, textField, type HostAnswer } from '../../agents/index.ts'
import { UsageError } from '../../errors.ts'
import type { ToldRun } from './ride.ts'
import {
  callablesOf,
  isCallable,
  listOf,
  type AgentLike,
  type AskedScorer,
  type Callable,
  type ScorerAnswer,
} from './sdk.ts'
import { resultOf } from './translate.ts'

export interface Watching {
  readonly told: ToldRun
  /** Calls of which the gate wants somebody to be asked are suspended. */
  readonly asksByApproval: boolean
  /** A condition of the user's own was met. */
  readonly onStopped: (name: string) => void
}

/** Long enough for any check: they have bounds of their own. */
const longestScoringMs = 2_147_483_647

/** Where nobody says how many steps there may be Mastra ends after five, without a word. The caps of donecheck bound it. */
const mostSteps = 1000

/**
 * @param own what the user has given, over what the agent has by default
 * @throws {UsageError} where they ask scorers of their own at the same time
 */
export async function watchedOptions(agent: AgentLike, own: object, watching: Watching): Promise<object> {
  refuseOwnScorers(own)
  const { told, asksByApproval } = watching
  const maxSteps = fieldOf(own, 'maxSteps')
  const stopWhen = fieldOf(own, 'stopWhen')
  const hasOwnBound = maxSteps !== undefined || stopWhen !== undefined
  const isTaskComplete = { timeout: longestScoringMs, ...asObject(fieldOf(own, 'isTaskComplete')) }
  return {
    ...own,
    ...(hasOwnBound ? {} : { maxSteps: mostSteps }),
    ...(stopWhen === undefined ? {} : { stopWhen: namedConditions(stopWhen, watching) }),
    outputProcessors: [...(await ownProcessors(agent, own)), replyProcessor(told)],
    hooks: toolHooks(await ownHooks(agent, own), told),
    isTaskComplete: { ...isTaskComplete, scorers: [claimScorer(told)] },
    onIterationComplete: iterationHandler(fieldOf(own, 'onIterationComplete'), told),
    ...(asksByApproval ? { requireToolApproval: approvalOf(fieldOf(own, 'requireToolApproval'), told) } : {}),
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
function replyProcessor(told: ToldRun): object {
  return {
    id: 'donecheck',
    name: 'donecheck',
    processOutputStep: async (step: unknown) => {
      await told.replied(step)
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

function toolHooks({ before, after }: OwnHooks, told: ToldRun): object {
  return {
    beforeToolCall: async (asked: unknown) => {
      const { callId, tool, input } = callIn(asked)
      const refusal = refusalIn(await told.asked(callId, tool, input), told.isApproved(callId))
      if (refusal !== undefined) return { proceed: false, output: refusal }
      const theirs: unknown = await before?.(asked)
      // What they answer in place of the tool is its result all the same.
      if (fieldOf(theirs, 'proceed') === false) told.ran(callId, tool, input, resultOf(theirs))
      return theirs
    },
    afterToolCall: async (ended: unknown) => {
      const { callId, tool, input } = callIn(ended)
      told.ran(callId, tool, input, resultOf(ended))
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

/** What the model reads in place of a result. */
function refusalIn(answer: HostAnswer, isApproved: boolean): string | undefined {
  switch (answer.kind) {
    case 'pass':
      return undefined
    case 'refuse':
      return answer.reason
    case 'end':
      return answer.message
    case 'send-back':
      return answer.feedback
    case 'ask':
      return isApproved ? undefined : `not approved: ${answer.reason}`
  }
}

/** The claim: where the model has nothing more to do, the checks are asked. */
function claimScorer(told: ToldRun): object {
  return {
    id: 'donecheck',
    name: 'donecheck',
    run: async ({ output }: AskedScorer): Promise<ScorerAnswer> => {
      const answer = await told.claimed(typeof output === 'string' ? output : '')
      if (answer.kind === 'send-back') return { score: 0, reason: answer.feedback }
      const { end } = told.ride
      const score = end?.outcome === 'verified' ? 1 : 0
      return { score, reason: end?.message ?? 'nothing was checked' }
    },
  }
}

/** After each reply and its calls: theirs is asked as well, and whoever says stop is heard. */
function iterationHandler(own: unknown, told: ToldRun): Callable {
  const theirs = isCallable(own) ? own : () => undefined
  return async (iteration) => {
    const advice = await told.stepEnded()
    const said: unknown = await Promise.resolve()
      .then(() => theirs(iteration))
      .catch(() => undefined)
    if (told.ended !== undefined) return { continue: false }
    const feedback = [textField(said, 'feedback') ?? '', ...advice].filter((text) => text !== '').join('\n\n')
    const wish = fieldOf(said, 'continue')
    if (feedback === '') return typeof wish === 'boolean' ? { continue: wish } : undefined
    return { feedback, ...(typeof wish === 'boolean' ? { continue: wish } : {}) }
  }
}

/** Mastra's own way to ask a person: the call is suspended until somebody resumes it. */
function approvalOf(own: unknown, told: ToldRun): Callable {
  return async (asked) => {
    const tool = textField(asked, 'toolName') ?? ''
    const args = fieldOf(asked, 'args')
    const callId = told.callIdOf(tool, args)
    const answer = callId === undefined ? undefined : await told.asked(callId, tool, args)
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
