import { goalView, type Decision } from '@donecheck/core/decide'
import { problemOfFact, type DriveFailure, type PlanEntry, type NewEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import { given, messageOf } from '../../../base/index.ts'
import type { DriveAnswer, ProposedCall } from '../../../ports/loop.ts'
import { AgentRecorder, type AgentFinding } from './agent-recorder.ts'
import { effectSignal } from './effect-signal.ts'
import { fireHooks } from '../hooks/fire-hooks.ts'
import { costOfUsage, guessUsage } from './estimate-cost.ts'
import { recordedCall, shallow } from '../calls/recorded-call.ts'
import type { Session } from '../session/session.ts'
import { settleWithin } from './settle-within.ts'
import type { World } from '../session/world.ts'

type CallModel = Extract<Decision, { kind: 'call-model' }>
type FailedAnswer = Extract<DriveAnswer, { kind: 'failed' }>

/** Announces the call, asks the drive, records the answer. */
export async function callModel(decision: CallModel, session: Session, world: World): Promise<void> {
  const { turn, attempt } = decision
  if (attempt === 1 && turn !== session.state.turn) await fireHooks('before_turn', {}, session, world)
  const [called] = await session.tell({ type: 'model-called', turn, attempt })
  const startedMs = world.clock.nowMs()
  const itself = new AgentRecorder(session, world.store)
  const stream = streamOf(session, world)
  const answer = await ask(decision, session, { ...world, onText: stream.onText }, itself)
  await itself.close()
  const durationMs = Math.max(0, world.clock.nowMs() - startedMs)
  const fact =
    answer.kind === 'replied'
      ? { ...replyFact(answer, session), ...(stream.hasReachedUser() ? { streamed: true as const } : {}) }
      : failureFact(answer, session.state, world)
  await session.tell({ ...fact, durationMs, ...given({ causeId: called?.id }) })
}

/** A reply that a judge looks at first is not streamed, nor is one that was sent back: it would be shown before it is judged. */
function streamOf({ state }: Session, { onText }: World) {
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

async function ask(
  decision: CallModel,
  session: Session,
  world: World,
  itself: AgentRecorder,
): Promise<DriveAnswer> {
  const signal = effectSignal(world.signal, decision.deadlineMs, world.clock)
  const request = {
    runId: session.runId,
    turn: decision.turn,
    attempt: decision.attempt,
    replies: session.state.replies,
    conversation: session.conversation,
    goal: goalView(session.state),
    tools: world.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    maxOutputTokens: decision.maxOutputTokens,
    onText: world.onText,
    onSession: (sessionId: string) => itself.recordSession(sessionId),
    onPlan: (plan: readonly PlanEntry[]) => itself.plans(plan),
    onBlocker: (blocker: string) => itself.reportBlocker(blocker),
    onFinding: (finding: AgentFinding) => itself.recordFinding(finding),
    ...given({ session: session.state.agentSession }),
  }
  const settled = await settleWithin(() => world.drive.next(request, signal), { signal })
  if (settled.kind === 'answered') return acceptAnswer(settled.value, signal, session)
  if (settled.kind === 'threw') return failedWith(`the drive threw: ${settled.message}`, signal)
  return failedWith('the drive did not end when it was told to', signal)
}

function failedWith(message: string, signal: AbortSignal): DriveAnswer {
  const failure = { kind: 'malformed', message, retryable: false } as const
  return { kind: 'failed', failure: signal.aborted ? brokenOff(failure) : failure, usage: null }
}

/** What a drive answers is taken only where it can be recorded; that it was interrupted, only where we interrupted it. */
function acceptAnswer(answer: DriveAnswer, signal: AbortSignal, session: Session): DriveAnswer {
  const problem = problemOfAnswer(answer, session)
  if (problem !== undefined) return failedWith(`the drive answered nonsense: ${problem}`, signal)
  if (answer.kind === 'replied') return answer
  if (signal.aborted) return { ...answer, failure: brokenOff(answer.failure) }
  return answer.failure.kind === 'interrupted'
    ? { ...answer, failure: { ...answer.failure, kind: 'cut-off' } }
    : answer
}

function problemOfAnswer(answer: DriveAnswer, session: Session): string | undefined {
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

/** What a drive says after we aborted it is our doing, whatever it calls it. */
function brokenOff(failure: DriveFailure): DriveFailure {
  return { kind: 'interrupted', message: failure.message, retryable: true }
}

function replyFact(answer: Extract<DriveAnswer, { kind: 'replied' }>, session: Session): NewEvent {
  const { text, finish, problem } = answer
  const usage = answer.usage ?? guessUsage(text, session.state)
  const toolCalls = uniqueCalls(answer.toolCalls, session).map((call) => recordedCall(call, session))
  const costUsd = answer.costUsd ?? costLater(session.state) ?? costOfUsage(usage, session.state)
  return { type: 'model-replied', text, toolCalls, finish, usage, costUsd, ...given({ problem }) }
}

/** A call id names one call in a run, so that no answer can be given to the wrong one. */
function uniqueCalls(calls: readonly ProposedCall[], session: Session): readonly ProposedCall[] {
  const seen = new Set<string>()
  return calls.map((call, index) => {
    const isTaken = seen.has(call.callId) || session.hasCall(call.callId) || call.callId === ''
    // Providers take letters, digits, hyphens and underscores.
    const callId = isTaken ? `${call.callId}-${session.state.sequence}-${index}` : call.callId
    seen.add(callId)
    return { ...call, callId }
  })
}

/** Who tells its costs may tell those of a step with a later one. */
function costLater({ drive }: RunState): number | undefined {
  return drive.reportsCost === true && drive.prices === null ? 0 : undefined
}

function failureFact(answer: FailedAnswer, state: RunState, world: World): NewEvent {
  const wasAtWork = answer.failure.kind === 'interrupted'
  const usage = answer.usage ?? (wasAtWork ? guessUsage('', state) : null)
  const fact = failedFact({ ...answer, usage }, state)
  return wasAtWork && state.drive.sideEffects ? { ...fact, notice: world.prompts.turnInterrupted() } : fact
}

function failedFact({ failure, usage }: FailedAnswer, state: RunState) {
  return { type: 'model-failed' as const, failure, usage, costUsd: costOfUsage(usage, state) }
}
