/** Options for an execution of Mastra whose word does not count: when the agent ends its turn the checks are asked, and it goes on. */
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'
import { fieldOf, textField, type ToolActs } from '../../agents/index.ts'
import {
  chosenRideKeys,
  createRide,
  verificationOf,
  type RideOptions,
  type Verification,
} from '../../ride/index.ts'
import { firstSignal } from '../../told-ride.ts'
import { watchedOptions } from './execution-options.ts'
import { ToldRun } from './ride.ts'
import type { AgentLike } from './sdk.ts'
import { taskOf } from './translate.ts'

export interface VerifiedExecutionOptions<Options extends object = object> extends Omit<
  RideOptions,
  'agent' | 'reportsUsage' | 'reportsCost' | 'silentFailures'
> {
  /** What calls of your tools would do, so that the gate can judge them: `{ shell: ({ command }) => ({ kind: 'command', … }) }`. */
  readonly acts?: ToolActs
  /** Your own options of `generate` or `stream`: `maxSteps`, `memory`, `requestContext` and so on. */
  readonly executionOptions?: Options
}

const verifiedExecutionKeys: OptionKeys<VerifiedExecutionOptions> = {
  ...chosenRideKeys,
  sessionId: true,
  acts: true,
  executionOptions: true,
}

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
 * One ride for one execution. `verifiedGenerate` does all of this by itself; for streams:
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
  const { acts = {}, executionOptions, ...choices } = options
  const requestContext = fieldOf(executionOptions, 'requestContext')
  const own: object = {
    ...defaultsOf(await agent.getDefaultOptions?.({ requestContext } as never)),
    ...executionOptions,
  }
  const signal = firstSignal(fieldOf(own, 'abortSignal'), options.signal)
  const onGatePrompt = options.onGatePrompt ?? promptsOf(options)
  const ride = await createRide({
    ...choices,
    agent: 'mastra',
    reportsUsage: true,
    ...(onGatePrompt === undefined ? {} : { onGatePrompt }),
    ...(signal === undefined ? {} : { signal }),
  })
  const told = new ToldRun({ ride, acts, signal })
  const bound = new Bound(own, told)
  const watched = await watchedOptions(agent, own, {
    told,
    asksByApproval: onGatePrompt === 'ask',
    onStopped: (name) => bound.met(name),
  })
  await told.prompted(taskOf(input))
  return {
    // As the user has typed them, with more in them.
    options: watched as Options,
    approve: (toolCallId) => told.approve(toolCallId),
    answerFor: (ended) => answerFor(ended, told, options),
    verification: async (ended) => endedAs(await settled(ended), told, bound),
    fail: async (error) => {
      await told.broken(error instanceof Error ? error.message : String(error))
      await told.over()
      return verificationOf(ride, told)
    },
  }
}

/** Which bound of Mastra's own has ended it. */
class Bound {
  readonly #maxSteps: unknown
  readonly #told: ToldRun
  #name: string | undefined

  constructor(own: object, told: ToldRun) {
    this.#maxSteps = fieldOf(own, 'maxSteps')
    this.#told = told
  }

  met(name: string): void {
    this.#name ??= name
  }

  nameFor(ended: Ended): string {
    if (this.#name !== undefined) return this.#name
    const most = this.#maxSteps
    if (typeof most === 'number' && this.#told.steps >= most) return `maxSteps (${most})`
    return ended.tripwire ?? `finish reason ${ended.finishReason ?? 'unknown'}`
  }
}

interface Ended {
  readonly finishReason: string | undefined
  readonly suspended: string | undefined
  readonly tripwire: string | undefined
}

/** Of a result; or of a stream, whose fields are promises. */
async function settled(ended: object | undefined): Promise<Ended> {
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

async function endedAs(ended: Ended, told: ToldRun, bound: Bound): Promise<Verification> {
  if (told.ended !== undefined) return verificationOf(told.ride, told)
  const { sendBacks, notices } = told
  if (ended.suspended !== undefined)
    return verificationOf(told.ride, { sendBacks, notices, waitingFor: [ended.suspended] })
  const stoppedBy = bound.nameFor(ended)
  await told.cutShort()
  return verificationOf(told.ride, { sendBacks: told.sendBacks, notices, stoppedBy })
}

async function answerFor(
  ended: object,
  told: ToldRun,
  { gate, approver }: RideChoicesGiven,
): Promise<object | undefined> {
  const payload: unknown = await fieldOf(ended, 'suspendPayload')
  const toolCallId = textField(payload, 'toolCallId')
  const tool = textField(payload, 'toolName')
  // A tool that suspends itself waits for more than a yes.
  const isApproval = fieldOf(payload, 'suspendPayload') === undefined
  const mayApprove = gate !== undefined || approver !== undefined
  if (toolCallId === undefined || tool === undefined || !isApproval || !mayApprove) return undefined
  const answer = await told.asked(toolCallId, tool, fieldOf(payload, 'args'))
  switch (answer.kind) {
    case 'pass':
      return answer.allowed === true ? { approved: true } : undefined
    case 'refuse':
      return { approved: false, reason: answer.reason }
    case 'end':
      return { approved: false, reason: answer.message }
    case 'ask':
    case 'send-back':
      return undefined
  }
}

function defaultsOf(given: unknown): object {
  return typeof given === 'object' && given !== null ? given : {}
}

/** A gate without an approver of ours asks by Mastra's own way. */
function promptsOf({ gate, approver }: RideChoicesGiven): 'ask' | undefined {
  return gate !== undefined && approver === undefined ? 'ask' : undefined
}

type RideChoicesGiven = Pick<RideOptions, 'gate' | 'approver'>
