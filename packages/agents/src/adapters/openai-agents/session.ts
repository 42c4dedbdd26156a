import { z } from 'zod'
import { assertOptions, type OptionShape, UsageError } from '@donecheck/engine/internal/base'
import { callMethod, fieldOf, listIn, textIn } from '../../protocol/host/index.ts'
import {
  approvalIn,
  beginSdkSession,
  mayApprove,
  sdkOptions,
  taskIn,
  type SdkOptions,
  type Verification,
} from '../../session/index.ts'
import {
  AgentsSession,
  callOf,
  isAgent,
  itemsIn,
  usageOf,
  type AgentLike,
  type Item,
  type RunnerLike,
} from './translate.ts'
import { filteringFor, isEndedByUs, watchAgent } from './watched-agent.ts'

export interface VerifiedRunOptions extends SdkOptions {
  /** The options of `run`, such as `context`, `maxTurns` and `session`, except `stream`. */
  readonly runOptions?: object
}

const verifiedRunOptions = z.strictObject<OptionShape<VerifiedRunOptions>>({
  ...sdkOptions.shape,
  runOptions: z.looseObject({}).optional(),
})

export interface VerifiedRun<Result extends object> {
  /** The SDK's result of the last `run`; undefined if a cap or a loop ended it. */
  readonly result: Result | undefined
  readonly history: readonly Item[]
  readonly verification: Verification
}

interface Begun {
  readonly session: AgentsSession
  readonly agent: AgentLike
}

const waitingRuns = new WeakMap<object, Begun>()

/**
 * @param input a text, items, or the state of a result that waits for approvals
 * @throws {UsageError} for invalid options
 * @throws what the SDK throws, except its turn limit
 */
export async function verifiedRun<Result extends object = object>(
  runner: RunnerLike,
  agent: AgentLike,
  input: string | readonly Item[] | object,
  options: VerifiedRunOptions,
): Promise<VerifiedRun<Result>> {
  assertOptions(verifiedRunOptions, options, 'verifiedRun')
  const { runOptions = {}, ...choices } = options
  if (fieldOf(runOptions, 'stream') === true)
    throw new UsageError('verifiedRun does not stream: leave stream out of runOptions')
  const waiting = typeof input === 'object' ? waitingRuns.get(input) : undefined
  const begun = waiting ?? (await begin(agent, input, choices, fieldOf(runOptions, 'signal')))
  return new Run<Result>(runner, begun, mayApprove(options)).from({
    agent: begun.agent,
    input: typeof input === 'string' ? [{ role: 'user', content: input }] : input,
    runOptions,
  })
}

async function begin(agent: AgentLike, input: unknown, options: SdkOptions, signal: unknown): Promise<Begun> {
  const session = new AgentsSession(await beginSdkSession('openai-agents', options, signal))
  await session.recordPrompt(taskIn(input))
  return { session, agent: watchAgent(agent, session) }
}

interface RunCall {
  readonly agent: AgentLike
  readonly input: object
  readonly runOptions: object
}

type HostEnd = Parameters<AgentsSession['verification']>[0]

class Run<Result extends object> {
  readonly #runner: RunnerLike
  readonly #begun: Begun
  readonly #mayApprove: boolean
  #history: readonly Item[] = []

  constructor(runner: RunnerLike, begun: Begun, mayApprove: boolean) {
    this.#runner = runner
    this.#begun = begun
    this.#mayApprove = mayApprove
  }

  async from(first: RunCall): Promise<VerifiedRun<Result>> {
    const { session } = this.#begun
    if (session.ended !== undefined) return this.#over(undefined)
    for (let call = first; ;) {
      let result: Result
      try {
        result = await this.#ask(call)
      } catch (error) {
        return this.#over(undefined, await endOfError(error, session))
      }
      const isWaiting = listIn(result, 'interruptions').length > 0
      const next = isWaiting ? await this.#interrupted(result, call) : await this.#claimed(result, call)
      if ('result' in next) return next
      call = next
    }
  }

  async #ask({ agent, input, runOptions }: RunCall): Promise<Result> {
    const { session } = this.#begun
    const filter = filteringFor(session, this.#runner, runOptions, (items) => {
      this.#history = items
    })
    if (Array.isArray(input)) session.begins()
    const options = { ...runOptions, ...filter }
    const result = await this.#runner.run(agent as never, input as never, options as never)
    session.counts(usageOf(fieldOf(result, 'runContext') ?? fieldOf(fieldOf(result, 'state'), '_context')))
    this.#history = itemsIn(result, 'history')
    return result as Result
  }

  async #claimed(result: Result, { agent, runOptions }: RunCall): Promise<RunCall | VerifiedRun<Result>> {
    const output = fieldOf(result, 'finalOutput')
    const text = typeof output === 'string' ? output : output === undefined ? '' : JSON.stringify(output)
    const feedback = await this.#begun.session.endsTurn(this.#history, text)
    if (feedback === undefined) return this.#over(result)
    const said = { role: 'user', content: feedback }
    // An SDK that keeps the conversation receives only new messages.
    const isKept = ['session', 'conversationId', 'previousResponseId'].some(
      (name) => fieldOf(runOptions, name) !== undefined,
    )
    const previousResponseId = textIn(result, 'lastResponseId')
    const isChained =
      fieldOf(runOptions, 'previousResponseId') !== undefined && previousResponseId !== undefined
    const last = fieldOf(result, 'lastAgent')
    return {
      agent: isAgent(last) ? last : agent,
      input: isKept ? [said] : [...this.#history, said],
      runOptions: isChained ? { ...runOptions, previousResponseId } : runOptions,
    }
  }

  async #interrupted(result: Result, call: RunCall): Promise<RunCall | VerifiedRun<Result>> {
    const waitingFor = await settleInterruptions(result, this.#begun.session, this.#mayApprove)
    const state = fieldOf(result, 'state')
    if (typeof state !== 'object' || state === null) return this.#over(result)
    if (waitingFor.length > 0) {
      waitingRuns.set(state, this.#begun)
      return this.#over(result, { waitingFor })
    }
    const last = fieldOf(result, 'lastAgent')
    return { ...call, agent: isAgent(last) ? last : call.agent, input: state }
  }

  #over(result: Result | undefined, end?: HostEnd): VerifiedRun<Result> {
    return { result, history: this.#history, verification: this.#begun.session.verification(end) }
  }
}

/** @throws the error, unless we or the SDK's turn limit ended the run */
async function endOfError(error: unknown, session: AgentsSession): Promise<HostEnd> {
  if (isEndedByUs(error)) return {}
  const name = error instanceof Error ? error.constructor.name : textIn(error, 'name')
  if (name === 'MaxTurnsExceededError') {
    await session.cutShort()
    return { stoppedBy: `${name}: ${textIn(error, 'message') ?? ''}` }
  }
  await session.recordFailure(error)
  await session.over()
  throw error
}

/** @returns names of the tools whose calls still wait */
async function settleInterruptions(
  result: object,
  session: AgentsSession,
  mayApprove: boolean,
): Promise<readonly string[]> {
  const state = fieldOf(result, 'state')
  const waiting: string[] = []
  for (const item of listIn(result, 'interruptions')) {
    const raw = fieldOf(item, 'rawItem')
    const call = callOf(raw, session.acts)
    const approval = call === undefined ? undefined : approvalIn(await session.proposeCall(call))
    const isSettled = approval !== undefined && (!approval.approved || mayApprove)
    if (typeof state !== 'object' || state === null || !isSettled)
      waiting.push(call?.tool ?? textIn(raw, 'name') ?? 'a tool')
    else if (approval.approved) callMethod(state, 'approve', item)
    else callMethod(state, 'reject', item, { message: approval.reason })
  }
  return waiting
}
