/** `agent.generate` of Mastra, until the checks verify the work or a bound ends it. */
import type { Verification } from '../../session/index.ts'
import { fieldOf, textField } from '../../protocol/host/index.ts'
import { UsageError } from '@donecheck/engine/base'
import type { AgentLike } from './sdk.ts'
import {
  verifiedExecution,
  type VerifiedExecution,
  type VerifiedExecutionOptions,
} from './verified-execution.ts'

export interface VerifiedGeneration<Result extends object> {
  /** Mastra's own. */
  readonly result: Result
  readonly verification: Verification
}

/** Goes on with a generation that was suspended. */
export interface Resumption {
  /** The result that waits. */
  readonly suspended: object
  /** What the tool waits for; of an approval `{ approved: true }`, or `{ approved: false, reason: 'not today' }`. */
  readonly resumeData: object
}

/** By the result that waits. */
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
  const runId = textField(suspended, 'runId')
  const toolCallId = textField(fieldOf(suspended, 'suspendPayload'), 'toolCallId')
  if (toolCallId !== undefined && fieldOf(resumeData, 'approved') === true) watched.approve(toolCallId)
  return agent.resumeGenerate(resumeData as never, { ...watched.options, runId, toolCallId } as never)
}
