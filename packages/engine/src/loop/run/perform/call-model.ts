import { goalView, type Decision } from '@donecheck/core/internal/decide'
import {
  problemOfFact,
  type AgentFailure,
  type EpochMs,
  type PlanEntry,
  type NewEvent,
  type FactOf,
  planReported,
  type Finding,
} from '@donecheck/core/internal/events'
import { type RunState, findingKey } from '@donecheck/core/internal/state'
import { given, messageOf } from '../../../base/index.ts'
import type { AgentResponse, AgentRequest, ProposedCall } from '../../../ports/loop.ts'
import { effectSignal, settleWithin } from './settle-within.ts'
import { fireHooks } from '../hooks.ts'
import { costOfUsage, guessUsage, recordedCall, shallow } from '../calls/call-records.ts'
import type { LiveRun } from '../session/session.ts'
import type { World } from '../session/world.ts'
import { drivesRequests, type GoalChange } from '@donecheck/core/internal/goal'
import type { Store } from '../../../ports/store.ts'

type CallModel = Extract<Decision, { kind: 'call-model' }>
type FailedAnswer = Extract<AgentResponse, { kind: 'failed' }>

export async function callModel(decision: CallModel, session: LiveRun, world: World): Promise<void> {
  const { turn, attempt } = decision
  if (attempt === 1 && turn !== session.state.turn) await fireHooks('before_turn', {}, session, world)
  await session.tell({ type: 'model-called', turn, attempt })
  const startedMs = world.clock.nowMs()
  const itself = agentRecorder(session, world.store)
  const stream = streamOf(session, world)
  const answer = await ask(decision, session, { ...world, onText: stream.onText }, itself)
  await itself.close()
  const durationMs = Math.max(0, world.clock.nowMs() - startedMs)
  const fact =
    answer.kind === 'replied'
      ? { ...replyFact(answer, session), ...(stream.hasReachedUser() ? { streamed: true as const } : {}) }
      : failureFact(answer, session.state, world.prompts)
  await session.tell({ ...fact, durationMs })
}

/** Does not stream replies that a judge must see first. */
function streamOf({ state }: LiveRun, { onText }: World) {
  const { replyCheck, settings } = state
  const streams = settings.replyCheck?.streams === true
  const isJudgedFirst = settings.replyCheck !== null && (!streams || (replyCheck?.retries ?? 0) > 0)
  let hasReachedUser = false
  return {
    onText: (piece: string) => {
      if (isJudgedFirst) return
      hasReachedUser ||= streams && piece.trim() !== ''
      onText(piece)
    },
    hasReachedUser: () => hasReachedUser,
  }
}

function ask(
  decision: CallModel,
  session: LiveRun,
  world: World,
  itself: ReturnType<typeof agentRecorder>,
): Promise<AgentResponse> {
  const { agentSession, replies } = session.state
  const request = {
    runId: session.runId,
    turn: decision.turn,
    attempt: decision.attempt,
    replies,
    conversation: session.conversation,
    goal: goalView(session.state),
    tools: world.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    maxOutputTokens: decision.maxOutputTokens,
    onText: world.onText,
    ...itself.doors,
    ...given({ session: agentSession }),
  }
  return askAgent(request, decision.deadlineMs, session, world)
}

/** Never rejects. */
async function askAgent(
  request: AgentRequest,
  deadlineMs: EpochMs | null,
  session: LiveRun,
  { agent, signal: interrupt, clock }: World,
): Promise<AgentResponse> {
  const signal = effectSignal(interrupt, deadlineMs, clock)
  const settled = await settleWithin(() => agent.next(request, signal), { signal })
  if (settled.kind === 'answered') return acceptAnswer(settled.value, signal, session)
  if (settled.kind === 'threw') return failedWith(`the agent threw: ${settled.message}`, signal)
  return failedWith('the agent did not end when it was told to', signal)
}

function failedWith(message: string, signal: AbortSignal): AgentResponse {
  const failure = { kind: 'malformed', message, retryable: false } as const
  return { kind: 'failed', failure: signal.aborted ? brokenOff(failure) : failure, usage: null }
}

/** Accepts a reply only if it can be recorded, and an interrupt only if we caused it. */
function acceptAnswer(answer: AgentResponse, signal: AbortSignal, session: LiveRun): AgentResponse {
  const problem = problemOfAnswer(answer, session)
  if (problem !== undefined) return failedWith(`the agent answered nonsense: ${problem}`, signal)
  if (answer.kind === 'replied') return answer
  if (signal.aborted) return { ...answer, failure: brokenOff(answer.failure) }
  return answer.failure.kind === 'interrupted'
    ? { ...answer, failure: { ...answer.failure, kind: 'cut-off' } }
    : answer
}

function problemOfAnswer(answer: AgentResponse, session: LiveRun): string | undefined {
  try {
    const { kind } = answer
    if (kind === 'failed') return problemOfFact(failedFact(answer, session.state))
    const { text, finish, usage } = answer
    const toolCalls = answer.toolCalls.map(shallow).map((call) => ({ ...call, argsDigest: '' }))
    const { costUsd = null } = answer
    return problemOfFact({ type: 'model-replied', text, toolCalls, finish, usage, costUsd })
  } catch (error) {
    return messageOf(error)
  }
}

/** After our abort, the abort is the cause of any failure. */
function brokenOff(failure: AgentFailure): AgentFailure {
  return { kind: 'interrupted', message: failure.message, retryable: true }
}

function replyFact(answer: Extract<AgentResponse, { kind: 'replied' }>, session: LiveRun): NewEvent {
  const { text, finish, problem } = answer
  const usage = answer.usage ?? guessUsage(text, session.state)
  const toolCalls = uniqueCalls(answer.toolCalls, session).map((call) => recordedCall(call, session))
  const costUsd = answer.costUsd ?? costLater(session.state) ?? costOfUsage(usage, session.state)
  return { type: 'model-replied', text, toolCalls, finish, usage, costUsd, ...given({ problem }) }
}

/** Makes call ids unique in the run, so that no result goes to the wrong call. */
function uniqueCalls(calls: readonly ProposedCall[], session: LiveRun): readonly ProposedCall[] {
  const seen = new Set<string>()
  return calls.map((call, index) => {
    const isTaken = seen.has(call.callId) || session.hasCall(call.callId) || call.callId === ''
    const callId = isTaken ? `${call.callId}-${session.state.sequence}-${index}` : call.callId
    seen.add(callId)
    return { ...call, callId }
  })
}

/** An agent that reports cost may report it with a later step. */
function costLater({ agent }: RunState): number | undefined {
  return agent.reportsCost === true && agent.prices === null ? 0 : undefined
}

/** Handles a call whose process is gone: its result is unknown. */
export function callBrokenOff(state: RunState, prompts: World['prompts']): NewEvent {
  const message = 'the process ended while the agent was at work'
  const failure = { kind: 'interrupted', message, retryable: true } as const
  return failureFact({ kind: 'failed', failure, usage: null }, state, prompts)
}

function failureFact(answer: FailedAnswer, state: RunState, prompts: World['prompts']): NewEvent {
  const wasAtWork = answer.failure.kind === 'interrupted'
  const usage = answer.usage ?? (wasAtWork ? guessUsage('', state) : null)
  const fact = failedFact({ ...answer, usage }, state)
  return wasAtWork && state.agent.sideEffects ? { ...fact, notice: prompts.turnInterrupted() } : fact
}

function failedFact({ failure, usage }: FailedAnswer, state: RunState) {
  return { type: 'model-failed' as const, failure, usage, costUsd: costOfUsage(usage, state) }
}

type FinalSummary = Extract<Decision, { kind: 'final-summary' }>
type Replied = FactOf<'final-summary-replied'>

export async function finalSummary(decision: FinalSummary, session: LiveRun, world: World): Promise<void> {
  const { end, notice } = decision
  await session.tell({ type: 'final-summary-called', end, notice })
  const startedMs = world.clock.nowMs()
  const fact = await askForSummary(decision, session, world)
  const durationMs = Math.max(0, world.clock.nowMs() - startedMs)
  await session.tell({ ...fact, durationMs })
}

async function askForSummary(decision: FinalSummary, session: LiveRun, world: World): Promise<Replied> {
  const { conversation, state } = session
  const { messages, rounds } = conversation
  const last = { text: decision.notice, afterRounds: rounds.length, isLasting: true }
  const request = {
    runId: session.runId,
    turn: state.turn,
    attempt: 1,
    replies: state.replies,
    conversation: { ...conversation, messages: [...messages, last] },
    tools: [],
    maxOutputTokens: decision.maxOutputTokens,
    onText: world.onText,
  }
  return summaryFact(await askAgent(request, decision.deadlineMs, session, world), state)
}

/** A call that was broken off, or whose answer is nonsense, was sent: its usage is unknown. */
const sentAllTheSame: readonly AgentFailure['kind'][] = ['interrupted', 'malformed']

function summaryFact(answer: AgentResponse, state: RunState): Replied {
  if (answer.kind === 'failed') {
    const { usage, failure } = answer
    return usage === null && sentAllTheSame.includes(failure.kind)
      ? withoutSummary(failure.message, state)
      : nothing(failure.message, usage, state)
  }
  const { text, toolCalls, problem } = answer
  const usage = answer.usage ?? guessUsage(text, state)
  const droppedCalls = toolCalls.length
  if (text.trim() === '')
    return { ...nothing(problem ?? 'the agent said nothing', usage, state), droppedCalls }
  const costUsd = costOfUsage(usage, state)
  return { type: 'final-summary-replied', text, droppedCalls, usage, costUsd }
}

/** For a sent call: unknown usage is not zero (I9). */
export function withoutSummary(problem: string, state: RunState): Replied {
  return nothing(problem, guessUsage('', state), state)
}

function nothing(problem: string, usage: Replied['usage'], state: RunState): Replied {
  const costUsd = costOfUsage(usage, state)
  return { type: 'final-summary-replied', text: '', droppedCalls: 0, usage, costUsd, problem }
}

interface AgentFinding {
  readonly rule: string
  readonly message: string
}

/** Records what an agent reports during its turn; ignores reports after `close`. */
function agentRecorder(session: LiveRun, store: Pick<Store, 'keepGoalRequest'>) {
  let { agentSession } = session.state
  let blocker: string | undefined
  let plan: readonly PlanEntry[] | undefined
  let recorded: Promise<unknown> = Promise.resolve()
  const findings: AgentFinding[] = []
  let isClosed = false

  /** Recorded at once: the process may die before it replies. */
  function onSession(sessionId: string): void {
    if (sessionId === agentSession || isClosed) return
    agentSession = sessionId
    recorded = recorded.then(() => session.tell({ type: 'agent-session-opened', sessionId }))
    // Awaited before the reply is recorded, where a failure is handled.
    recorded.catch(() => undefined)
  }

  /** Await it before the reply is recorded. */
  async function close(): Promise<void> {
    isClosed = true
    await recorded
    for (const finding of findings) {
      const { noted, sequence } = session.state
      const fact = { type: 'finding-noted' as const, finding: warningOf(finding, sequence) }
      const isNew = !noted.includes(findingKey(fact.finding))
      if (isNew && problemOfFact(fact) === undefined) await session.tell(fact)
    }
    if (blocker !== undefined) await askFor({ kind: 'blocker-reported', blocker })
    const reported = plan === undefined ? undefined : planOf(plan)
    if (reported !== undefined) await session.tell(reported)
  }

  /** Handled at the end of the turn, like a call of the goal tool. */
  async function askFor(change: GoalChange): Promise<void> {
    const { id: goalId, answeredRequest } = session.state.goal
    await store.keepGoalRequest(session.runId, { goalId, by: drivesRequests, change }, answeredRequest)
  }

  const doors = {
    onSession,
    onPlan: (reported: readonly PlanEntry[]) => void (plan = reported),
    onBlocker: (reported: string) => void (blocker = reported),
    onFinding: (finding: AgentFinding) => void findings.push(finding),
  }
  return { doors, close }
}

function warningOf({ rule, message }: AgentFinding, sequence: number): Finding {
  return { rule, message, level: 'warn', numbers: {}, key: message, basedOn: [sequence] }
}

function planOf(plan: readonly PlanEntry[]) {
  try {
    const reported = planReported(plan)
    return problemOfFact(reported) === undefined ? reported : undefined
  } catch {
    return undefined
  }
}
