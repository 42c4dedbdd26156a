/** An agent that owns its loop, as a drive: its turns are read reply by reply, and its calls are seen while they run. */
import { UsageError, assertKnownKeys, optionKeys } from '@donecheck/engine/base'
import type { Drive, DriveAnswer, DriveRequest } from '@donecheck/engine/ports/loop'
import { newsFor, promptFor } from '@donecheck/core/prompts'
import type { DriveDescription } from '@donecheck/core/settings'
import type { PlanEntry } from '@donecheck/core/events'
import type { AgentFinding, AgentTurn, TurnStart } from './agent-signal.ts'
import { answerAtEnd, interrupted, replyOf, type Reported } from './answers.ts'
import { OwnCalls } from './own-calls.ts'
import { TurnInFlight } from './turn-in-flight.ts'

export interface StreamedDriveOptions {
  readonly description: Omit<DriveDescription, 'kind' | 'sideEffects' | 'ownsTools'>
  /** True: a `step` follows every reply of the model. False: every call ends a reply, and what was used comes with the end. */
  readonly tellsSteps: boolean
  /** Of one turn, as far as we wait for the agent. Null: no bound. */
  readonly timeoutMs: number | null
  /** Never throws for what the environment lacks: that is a failure at the end of the turn. */
  startTurn(start: TurnStart): AgentTurn
}

const streamedDriveKeys = optionKeys<StreamedDriveOptions>()('description! tellsSteps! timeoutMs! startTurn!')

/**
 * One turn after the other, each in the session of the one before. What is read is not believed: an end is the agent's claim,
 * and no more.
 * @throws {UsageError} for a bound that can never work
 */
export function streamedDrive(options: StreamedDriveOptions): Drive & Required<Pick<Drive, 'own'>> {
  assertKnownKeys(options, streamedDriveKeys, 'streamedDrive')
  const { timeoutMs } = options
  if (timeoutMs !== null && !(timeoutMs > 0))
    throw new UsageError(`timeoutMs is ${timeoutMs}; give the milliseconds that a turn may take, or null`)
  const agent = new StreamedAgent(options)
  return {
    description: { ...options.description, kind: 'agent', sideEffects: true, ownsTools: true },
    next: (request, signal) => agent.next(request, signal),
    own: {
      toolOf: (callId) => agent.calls.toolOf(callId),
      refuse: (callId, reason) => agent.refuse(callId, reason),
      cancel: () => agent.cancel(),
    },
  }
}

/** Sessions that one turn may find lost: the one that was known, and one whose name was taken. */
const maxRestarts = 2

/** The agent through all turns of a run. */
class StreamedAgent {
  readonly calls = new OwnCalls()
  readonly #options: StreamedDriveOptions
  readonly #told: Reported
  #turn: TurnInFlight | undefined
  #session: string | undefined
  readonly #lost = new Set<string>()
  #restarts = 0
  /** Why the turn in flight was broken off: the next answer. */
  #brokenOff: string | undefined
  /** What the agent could not be told while it worked. */
  readonly #untold: string[] = []
  /** Number of messages of the conversation that its session has been sent; undefined before the first turn of this process. */
  #heard: number | undefined
  /** Told while nobody could be told. */
  #plan: readonly PlanEntry[] | undefined
  #toldPlan = ''
  /** Found while nobody could be told. */
  #found: AgentFinding[] = []
  #blocker: string | undefined
  /** The one that is being answered. */
  #request: DriveRequest | undefined

  constructor(options: StreamedDriveOptions) {
    this.#options = options
    const { reportsUsage, reportsCost } = options.description
    this.#told = { usage: reportsUsage, cost: reportsCost === true, timeoutMs: options.timeoutMs }
  }

  async next(request: DriveRequest, signal: AbortSignal): Promise<DriveAnswer> {
    if (signal.aborted) {
      await this.cancel()
      return interrupted
    }
    this.#request = request
    try {
      const answer = await this.#answer(request, signal)
      this.#tellPlan(request)
      for (const { rule, message } of this.#found) request.onFinding?.({ rule, message })
      this.#found = []
      if (this.#blocker !== undefined) request.onBlocker?.(this.#blocker)
      this.#blocker = undefined
      return answer
    } finally {
      this.#request = undefined
    }
  }

  /** Where it is another one: some agents send it with every step. */
  #tellPlan(request: DriveRequest): void {
    const plan = this.#plan
    const written = JSON.stringify(plan)
    this.#plan = undefined
    if (plan === undefined || written === this.#toldPlan) return
    this.#toldPlan = written
    request.onPlan?.(plan)
  }

  /** A call that is asked is answered with no; another one runs already, so the turn is broken off with it. */
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

  async #answer(request: DriveRequest, signal: AbortSignal): Promise<DriveAnswer> {
    if (this.#session !== undefined) request.onSession?.(this.#session)
    const problem = this.#brokenOff
    if (problem !== undefined) {
      this.#brokenOff = undefined
      return { ...replyOf({ text: '', finish: 'other', usage: null }, this.#told), problem }
    }
    let restarts = 0
    for (;;) {
      const turn = (this.#turn ??= this.#begin(request))
      const reply = turn.takeReply()
      if (reply !== undefined) {
        const toolCalls = this.calls.propose(reply.calls, turn)
        return replyOf({ ...reply, toolCalls, finish: 'tool-calls' }, this.#told)
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
      const { answer, isLast } = answerAtEnd(turn, turn.over, this.#told, signal)
      if (isLast) this.#turn = undefined
      return answer
    }
  }

  #forgetSession({ session }: DriveRequest): void {
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

  #begin(request: DriveRequest): TurnInFlight {
    const { conversation, runId, turn, attempt, replies, goal } = request
    this.calls.reserve(conversation.rounds.flatMap(({ toolCalls }) => toolCalls.map(({ callId }) => callId)))
    const session = this.#sessionOf(request.session)
    const prompt = session === undefined ? promptFor(conversation) : newsFor(conversation, this.#heard)
    this.#heard = conversation.messages.length
    const start = {
      prompt: [prompt, ...this.#untold.splice(0)].join('\n\n'),
      ...{ session, goal },
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
        onFinding: (finding) => this.#found.push(finding),
        onBlocker: (text) => {
          this.#blocker = text
        },
        onSession: (id) => {
          this.#session = id
          this.#request?.onSession?.(id)
        },
      },
    )
  }
}
