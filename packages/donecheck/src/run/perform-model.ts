import { costOf, type Decision } from '../core/index.ts'
import type { DriveFailure, JsonValue, RunState, Told, TokenUsage, ToolCall } from '../events/index.ts'
import type { DriveAnswer, ProposedCall } from '../ports.ts'
import { digestOf } from './canonical-digest.ts'
import { effectSignal } from './effect-signal.ts'
import type { Session } from './session.ts'
import type { World } from './world.ts'

type CallModel = Extract<Decision, { kind: 'call-model' }>

/** Announces the call, asks the drive, records the answer. */
export async function callModel(decision: CallModel, session: Session, world: World): Promise<void> {
  if (decision.delayMs > 0) await world.clock.sleep(decision.delayMs, world.signal)
  if (world.signal.aborted) return
  const { turn, attempt } = decision
  const [called] = await session.tell({ type: 'model-called', turn, attempt })
  const startedMs = world.clock.nowMs()
  const answer = await ask(decision, session, world)
  const durationMs = Math.max(0, world.clock.nowMs() - startedMs)
  const fact = answer.kind === 'replied' ? replied(answer, session) : failed(answer, session.state, world)
  await session.tell({ ...fact, durationMs, ...(called === undefined ? {} : { causeId: called.id }) })
}

async function ask(decision: CallModel, session: Session, world: World): Promise<DriveAnswer> {
  const signal = effectSignal(world.signal, decision.deadlineMs, world.clock)
  const request = {
    runId: session.runId,
    turn: decision.turn,
    attempt: decision.attempt,
    replies: session.state.replies,
    conversation: session.conversation,
    tools: world.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    maxOutputTokens: decision.maxOutputTokens,
    onText: world.onText,
  }
  try {
    const answer = await world.drive.next(request, signal)
    return answer.kind === 'failed' && signal.aborted
      ? { ...answer, failure: brokenOff(answer.failure) }
      : answer
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const failure: DriveFailure = {
      kind: 'malformed',
      message: `the drive threw: ${message}`,
      retryable: false,
    }
    return { kind: 'failed', failure: signal.aborted ? brokenOff(failure) : failure, usage: null }
  }
}

/** What a drive says after we aborted it is our doing, whatever it calls it. */
function brokenOff(failure: DriveFailure): DriveFailure {
  return { kind: 'interrupted', message: failure.message, retryable: true }
}

function replied(answer: Extract<DriveAnswer, { kind: 'replied' }>, session: Session): Told {
  const { text, finish, usage, problem } = answer
  const toolCalls = uniqueCalls(answer.toolCalls.map(shallow), session).map((call): ToolCall => {
    session.keepArguments(call.callId, call.args)
    return { ...call, argsDigest: digestOf(call.args) }
  })
  const costUsd = costOfReply(usage, session.state)
  return {
    type: 'model-replied',
    text,
    toolCalls,
    finish,
    usage,
    costUsd,
    ...(problem === undefined ? {} : { problem }),
  }
}

/** Arguments that are nested more deeply are refused before anything walks through them. */
const deepestArguments = 64

function shallow(call: ProposedCall): ProposedCall {
  if (depthWithin(call.args, deepestArguments)) return call
  return { ...call, args: '', malformed: `nested more than ${deepestArguments} levels deep` }
}

function depthWithin(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((entry: JsonValue) => depthWithin(entry, levels - 1))
}

/** A call id names one call in a run, so that no answer can be given to the wrong one. */
function uniqueCalls(calls: readonly ProposedCall[], session: Session): readonly ProposedCall[] {
  const seen = new Set(
    session.conversation.rounds.flatMap((round) => round.toolCalls.map(({ callId }) => callId)),
  )
  return calls.map((call, index) => {
    const isTaken = seen.has(call.callId) || call.callId === ''
    // Providers take letters, digits, hyphens and underscores.
    const callId = isTaken ? `${call.callId}-${session.state.sequence}-${index}` : call.callId
    seen.add(callId)
    return { ...call, callId }
  })
}

function costOfReply(usage: TokenUsage | null, state: RunState): number | null {
  const { prices } = state.drive
  return usage === null || prices === null ? null : costOf(usage, prices)
}

function failed(answer: Extract<DriveAnswer, { kind: 'failed' }>, state: RunState, world: World): Told {
  const { failure, usage } = answer
  const isInterrupted = failure.kind === 'interrupted' && state.drive.sideEffects
  return {
    type: 'model-failed',
    failure,
    usage,
    costUsd: costOfReply(usage, state),
    ...(isInterrupted ? { notice: world.prompts.turnInterrupted() } : {}),
  }
}
