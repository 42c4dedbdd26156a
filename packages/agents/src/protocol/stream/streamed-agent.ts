import { UsageError, optionKeys } from '@donecheck/engine/internal/base'
import type { Agent, AgentResponse, AgentRequest, ProposedCall } from '@donecheck/engine/internal/ports/loop'
import { newsFor, promptFor } from '@donecheck/core/internal/decide/prompts'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import type { PlanEntry, AgentFailure, FinishKind } from '@donecheck/core/internal/events'
import type { AgentTurn, TurnStart } from './agent-signal.ts'
import { configurationFailure } from './failures.ts'
import { OwnCalls } from './own-calls.ts'
import { TurnInFlight, type TurnOver } from './turn-in-flight.ts'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { noUsage } from '../host/index.ts'

export interface CliAgentOptions {
  readonly folder: string
  /** The full environment. Default: that of this process without `DONECHECK_…` variables. */
  readonly environment?: Readonly<Record<string, string>>
  /** Further arguments, such as `-m`, `some-model`; they override ours. */
  readonly words?: readonly string[]
  /** Of one turn; null for no limit, though some agents retry a dead model forever. */
  readonly timeoutMs: number | null
}

export const cliAgentKeys = optionKeys<CliAgentOptions>()('folder! environment words timeoutMs!')

export interface StreamedAgentOptions {
  readonly description: Omit<AgentDescription, 'kind' | 'sideEffects' | 'ownsTools'>
  /** True: a `step` follows every reply. False: every call ends a reply, and usage arrives at the end. */
  readonly tellsSteps: boolean
  readonly timeoutMs: number | null
  /** Never throws for a missing environment: that is a failure at the end of the turn. */
  startTurn(start: TurnStart): AgentTurn
}

/** Runs turns one after the other in a shared session. @throws {UsageError} for an invalid limit */
export function streamedAgent(options: StreamedAgentOptions): Agent & Required<Pick<Agent, 'own'>> {
  const { timeoutMs } = options
  if (timeoutMs !== null && !(timeoutMs > 0))
    throw new UsageError(`timeoutMs is ${timeoutMs}; give the milliseconds that a turn may take, or null`)
  const agent = new StreamedAgent(options)
  return {
    description: { ...options.description, kind: 'external', sideEffects: true, ownsTools: true },
    next: (request, signal) => agent.next(request, signal),
    own: {
      toolOf: (callId) => agent.calls.toolOf(callId),
      refuse: (callId, reason) => agent.refuse(callId, reason),
      cancel: () => agent.cancel(),
    },
  }
}

/** Restarts of one turn: the known session was lost, or the new id was taken. */
const maxRestarts = 2

class StreamedAgent {
  readonly calls = new OwnCalls()
  readonly #options: StreamedAgentOptions
  #turn: TurnInFlight | undefined
  #session: string | undefined
  readonly #lost = new Set<string>()
  #restarts = 0
  #brokenOff: string | undefined
  readonly #untold: string[] = []
  /** Number of messages that its session has received; undefined before the first turn. */
  #heard: number | undefined
  #plan: readonly PlanEntry[] | undefined
  #toldPlan = ''
  #request: AgentRequest | undefined
  /** What was found while a call ran, between two requests: the next one hears of it. */
  readonly #found: { readonly rule: string; readonly message: string }[] = []

  constructor(options: StreamedAgentOptions) {
    this.#options = options
  }

  async next(request: AgentRequest, signal: AbortSignal): Promise<AgentResponse> {
    if (signal.aborted) {
      await this.cancel()
      return interrupted
    }
    this.#request = request
    try {
      const answer = await this.#answer(request, signal)
      for (const finding of this.#found.splice(0)) request.onFinding?.(finding)
      this.#tellPlan(request)
      return answer
    } finally {
      this.#request = undefined
    }
  }

  #tellPlan(request: AgentRequest): void {
    const plan = this.#plan
    const written = JSON.stringify(plan)
    this.#plan = undefined
    if (plan === undefined || written === this.#toldPlan) return
    this.#toldPlan = written
    request.onPlan?.(plan)
  }

  /** Refuses an asked call; a running one is aborted together with the turn. */
  async refuse(callId: string, reason: string): Promise<void> {
    const found = this.calls.get(callId)
    if (found === undefined) return
    const { call, turn } = found
    const name = call.summary ?? call.tool
    if (call.answer !== undefined && !found.isAnswered) {
      found.isAnswered = true
      if (turn.over !== undefined) return
      if (call.hearsReason === false) this.#untold.push(`You were not allowed to run ${name}: ${reason}`)
      const wasHeard = await call.answer({ allowed: false, reason }).then(
        () => true,
        () => false,
      )
      if (wasHeard) return
    }
    if (turn !== this.#turn) return
    await this.cancel()
    this.#brokenOff = `it was ended at ${name}: ${reason}`
  }

  async cancel(): Promise<void> {
    const turn = this.#turn
    this.#turn = undefined
    await turn?.breakOff()
  }

  async #answer(request: AgentRequest, signal: AbortSignal): Promise<AgentResponse> {
    if (this.#session !== undefined) request.onSession?.(this.#session)
    const problem = this.#brokenOff
    if (problem !== undefined) {
      this.#brokenOff = undefined
      return { ...replyOf({ text: '', finish: 'other', usage: null }, this.#options.description), problem }
    }
    let restarts = 0
    for (;;) {
      const turn = (this.#turn ??= this.#begin(request))
      const reply = turn.replies.take()
      if (reply !== undefined) {
        const toolCalls = this.calls.propose(reply.calls, turn)
        return replyOf({ ...reply, toolCalls, finish: 'tool-calls' }, this.#options.description)
      }
      if (turn.over?.kind === 'session-lost' && restarts < maxRestarts) {
        restarts += 1
        this.#forgetSession(request)
        continue
      }
      if (turn.over === undefined) {
        await turn.read(signal)
        continue
      }
      const { answer, isLast } = answerAtEnd(turn, turn.over, this.#options.description, signal)
      if (isLast) this.#turn = undefined
      return answer
    }
  }

  #forgetSession({ session }: AgentRequest): void {
    const lost = this.#sessionOf(session)
    this.#turn = undefined
    this.#session = undefined
    if (lost !== undefined) this.#lost.add(lost)
    this.#restarts += 1
  }

  #sessionOf(recorded: string | undefined): string | undefined {
    const known = this.#session ?? recorded
    return known === undefined || this.#lost.has(known) ? undefined : known
  }

  #begin(request: AgentRequest): TurnInFlight {
    const { conversation, runId, turn, attempt, replies } = request
    this.calls.reserve(conversation.rounds.flatMap(({ toolCalls }) => toolCalls.map(({ callId }) => callId)))
    const session = this.#sessionOf(request.session)
    const prompt = session === undefined ? promptFor(conversation) : newsFor(conversation, this.#heard)
    this.#heard = conversation.messages.length
    const start = {
      prompt: [prompt, ...this.#untold.splice(0)].join('\n\n'),
      session,
      key: `${runId}/${turn}/${attempt}/${replies}/${this.#restarts}`,
    }
    const { tellsSteps, timeoutMs } = this.#options
    return new TurnInFlight(
      this.#options.startTurn(start),
      tellsSteps,
      timeoutMs ?? Number.POSITIVE_INFINITY,
      {
        onText: (piece) => this.#request?.onText(piece),
        onPlan: (plan) => {
          this.#plan = plan
        },
        onFinding: ({ rule, message }) => this.#found.push({ rule, message }),
        onSession: (id) => {
          this.#session = id
          this.#request?.onSession?.(id)
        },
      },
    )
  }
}

type Replied = Extract<AgentResponse, { kind: 'replied' }>

type Reported = Pick<AgentDescription, 'reportsUsage' | 'reportsCost'>

const interrupted: AgentResponse = failedAnswer({
  kind: 'interrupted',
  message: 'the agent was interrupted',
  retryable: true,
})

interface ReplyParts {
  readonly text: string
  readonly finish: FinishKind
  readonly toolCalls?: readonly ProposedCall[]
  /** Undefined if another reply reports it; null if none does. */
  readonly usage: TokenUsage | null | undefined
  readonly costUsd?: number | undefined
}

function replyOf(
  { text, finish, toolCalls = [], usage = noUsage, costUsd = 0 }: ReplyParts,
  reported: Reported,
): Replied {
  return {
    ...{ kind: 'replied', text, toolCalls, finish },
    usage: reported.reportsUsage ? usage : null,
    ...(reported.reportsCost === true ? { costUsd: Math.max(0, costUsd) } : {}),
  }
}

interface EndAnswer {
  readonly answer: AgentResponse
  readonly isLast: boolean
}

function answerAtEnd(turn: TurnInFlight, over: TurnOver, reported: Reported, signal: AbortSignal): EndAnswer {
  if (over.kind === 'session-lost')
    return { isLast: true, answer: failedAnswer(configurationFailure(over.message)) }
  const { failure, problem, wasCutOff, text: lastWords } = over.ended
  const isBroken = over.isBroken === true
  if (isBroken && signal.aborted) return { isLast: true, answer: interrupted }
  const rest = turn.replies.rest()
  if (failure !== undefined) {
    // A failure books nothing, so earlier usage becomes its own reply.
    const isSpent = rest.usage !== undefined || rest.costUsd !== undefined || rest.text !== ''
    return isSpent
      ? { isLast: false, answer: replyOf({ ...rest, finish: 'tool-calls' }, reported) }
      : { isLast: true, answer: failedAnswer(failure) }
  }
  const text = lastWords.trim() === '' ? rest.text : lastWords
  if (rest.text.trim() === '') turn.say(text)
  const claims = wasCutOff === true ? 'length' : 'stop'
  // The last step of an interrupted turn did not report its usage.
  const usage = rest.usage ?? (turn.hasTold && !isBroken ? undefined : null)
  const reply = replyOf({ ...rest, text, usage, finish: problem === undefined ? claims : 'other' }, reported)
  return { isLast: true, answer: problem === undefined ? reply : { ...reply, problem } }
}

function failedAnswer(failure: AgentFailure): AgentResponse {
  return { kind: 'failed', failure, usage: null }
}
