import { assertKnownKeys, type OptionKeys, UsageError } from '@donecheck/engine/base'
import { fieldOf, listIn, textIn, textOfContent } from '../../protocol/host/index.ts'
import {
  beginSdkSession,
  mayApprove,
  sdkKeys,
  type SdkOptions,
  type Verification,
  approvalIn,
} from '../../session/index.ts'
import { filteringFor, isEndedByUs, watchAgent } from './watched-agent.ts'
import {
  isAgent,
  usageOf,
  type AgentLike,
  type Item,
  type RunnerLike,
  type UsageLike,
  callMethod,
  callOf,
  AgentsSession,
} from './translate.ts'

export interface VerifiedRunOptions extends SdkOptions {
  /** The options of `run`: `context`, `maxTurns`, `session` and so on, but for `stream`. */
  readonly runOptions?: object
}

const verifiedRunKeys: OptionKeys<VerifiedRunOptions> = { ...sdkKeys, runOptions: true }

export interface VerifiedRun<Result extends object> {
  /** Of the SDK, for the last call of `run`. Undefined: a cap or a loop has ended it in the middle. */
  readonly result: Result | undefined
  readonly history: readonly Item[]
  readonly verification: Verification
}

const waitingRuns = new WeakMap<object, Waiting>()

interface Waiting {
  readonly session: AgentsSession
  readonly agent: AgentLike
}

/**
 * @param runner a `Runner`, or anything that has the SDK's `run`
 * @param input a text, items, or the state of a result that has waited for approvals
 * @throws {UsageError} for options that contradict each other or can never work
 * @throws what the SDK throws, but for its bound on turns: that ends the run, and the checks say as what
 */
export async function verifiedRun<Result extends object = object>(
  runner: RunnerLike,
  agent: AgentLike,
  input: string | readonly Item[] | object,
  options: VerifiedRunOptions,
): Promise<VerifiedRun<Result>> {
  assertKnownKeys(options, verifiedRunKeys, 'verifiedRun')
  const { runOptions = {}, ...choices } = options
  if (fieldOf(runOptions, 'stream') === true)
    throw new UsageError('verifiedRun does not stream: leave stream out of runOptions')
  const waiting = typeof input === 'object' ? waitingRuns.get(input) : undefined
  const begun = waiting ?? (await begin(agent, input, choices, fieldOf(runOptions, 'signal')))
  const attempt = new Attempts<Result>(runner, begun, options)
  return attempt.from(itemsOf(input))
}

async function begin(
  agent: AgentLike,
  input: unknown,
  options: SdkOptions,
  signal: unknown,
): Promise<Waiting> {
  const session = new AgentsSession(await beginSdkSession('openai-agents', options, signal))
  await session.recordPrompt(taskOf(input))
  return { session, agent: watchAgent(agent, session) }
}

class Attempts<Result extends object> {
  readonly #runner: RunnerLike
  readonly #begun: Waiting
  readonly #options: VerifiedRunOptions
  readonly #mayApprove: boolean
  #history: readonly Item[] = []

  constructor(runner: RunnerLike, begun: Waiting, options: VerifiedRunOptions) {
    this.#runner = runner
    this.#begun = begun
    this.#options = options
    this.#mayApprove = mayApprove(options)
  }

  async from(first: object): Promise<VerifiedRun<Result>> {
    const { session } = this.#begun
    if (session.ended !== undefined) return this.#over(undefined)
    let agent = this.#begun.agent
    let input = first
    let runOptions: object = this.#options.runOptions ?? {}
    for (;;) {
      const asked = await this.#ask(agent, input, runOptions)
      if (asked.kind === 'stopped') return asked.run
      const { result } = asked
      const next = await this.#after(result)
      if (next.kind === 'over') return next.run
      agent = agentAfter(result) ?? agent
      input = next.input(runOptions)
      runOptions = next.options(runOptions)
    }
  }

  async #ask(agent: AgentLike, input: object, runOptions: object): Promise<Asked<Result>> {
    const { session } = this.#begun
    const filter = filteringFor(session, this.#runner, runOptions, (items) => {
      this.#history = items
    })
    if (Array.isArray(input)) session.begins()
    try {
      const result = await this.#runner.run(
        agent as never,
        input as never,
        { ...runOptions, ...filter } as never,
      )
      session.counts(usageIn(result))
      this.#history = listIn(result, 'history').filter((item) => typeof item === 'object' && item !== null)
      return { kind: 'answered', result: result as Result }
    } catch (error) {
      return { kind: 'stopped', run: await this.#stopped(error) }
    }
  }

  async #stopped(error: unknown): Promise<VerifiedRun<Result>> {
    const { session } = this.#begun
    if (isEndedByUs(error)) return this.#over(undefined)
    const name = textIn(error, 'name') ?? ''
    const kind = error instanceof Error ? error.constructor.name : name
    if (kind === 'MaxTurnsExceededError') {
      await session.cutShort()
      return this.#over(undefined, { stoppedBy: `${kind}: ${textIn(error, 'message') ?? ''}` })
    }
    await session.recordFailure(error)
    await session.over()
    throw error
  }

  async #after(result: Result): Promise<Next<Result>> {
    const { session } = this.#begun
    if (listIn(result, 'interruptions').length > 0) return this.#interrupted(result)
    const feedback = await session.endsTurn(this.#history, finalText(result))
    if (feedback === undefined) return { kind: 'over', run: this.#over(result) }
    return { kind: 'go-on', ...blocked(result, this.#history, { role: 'user', content: feedback }) }
  }

  async #interrupted(result: Result): Promise<Next<Result>> {
    const { session } = this.#begun
    const waiting = await settleInterruptions(result, session, this.#mayApprove)
    const state = fieldOf(result, 'state')
    if (typeof state !== 'object' || state === null) return { kind: 'over', run: this.#over(result) }
    if (waiting.length > 0) {
      waitingRuns.set(state, this.#begun)
      return { kind: 'over', run: this.#over(result, { waitingFor: waiting }) }
    }
    return { kind: 'go-on', input: () => state, options: (before) => before }
  }

  #over(
    result: Result | undefined,
    more: Partial<Pick<Verification, 'waitingFor' | 'stoppedBy'>> = {},
  ): VerifiedRun<Result> {
    return { result, history: this.#history, verification: this.#begun.session.verification(more) }
  }
}

type Asked<Result extends object> =
  | { readonly kind: 'answered'; readonly result: Result }
  | { readonly kind: 'stopped'; readonly run: VerifiedRun<Result> }

type Next<Result extends object> =
  | { readonly kind: 'over'; readonly run: VerifiedRun<Result> }
  | {
      readonly kind: 'go-on'
      readonly input: (before: object) => object
      readonly options: (before: object) => object
    }

/** Who keeps the conversation already, gets what is new alone. */
function blocked(result: object, history: readonly Item[], feedback: Item) {
  const lastResponseId = textIn(result, 'lastResponseId')
  return {
    input: (options: object): object => {
      const isKept =
        fieldOf(options, 'session') !== undefined ||
        fieldOf(options, 'conversationId') !== undefined ||
        fieldOf(options, 'previousResponseId') !== undefined
      return isKept ? [feedback] : [...history, feedback]
    },
    options: (before: object): object =>
      fieldOf(before, 'previousResponseId') === undefined || lastResponseId === undefined
        ? before
        : { ...before, previousResponseId: lastResponseId },
  }
}

function agentAfter(result: object): AgentLike | undefined {
  const agent = fieldOf(result, 'lastAgent')
  return isAgent(agent) ? agent : undefined
}

function usageIn(result: object): UsageLike | undefined {
  return usageOf(fieldOf(result, 'runContext') ?? fieldOf(fieldOf(result, 'state'), '_context'))
}

function finalText(result: object): string {
  const output = fieldOf(result, 'finalOutput')
  return typeof output === 'string' ? output : output === undefined ? '' : JSON.stringify(output)
}

function itemsOf(input: unknown): object {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return typeof input === 'object' && input !== null ? input : []
}

function taskOf(input: unknown): string {
  if (typeof input === 'string') return input
  const items: readonly unknown[] = Array.isArray(input) ? input : []
  const asked = items.findLast((item) => textIn(item, 'role') === 'user')
  return textOfContent(fieldOf(asked, 'content'), '\n')
}

/**
 * @param mayApprove the gate or the approver was chosen by the user, so that their yes stands for the user's
 * @returns names of the tools whose calls still wait
 */
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
