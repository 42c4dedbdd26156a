import type { HostAnswer, HostCall, HostEvent, HostResult, HostStop } from '../../protocol/host/index.ts'
import type { NewEvent, ToolCall } from '@donecheck/core/internal/events'
import {
  adviceIn,
  endNow,
  endOf,
  pass,
  calledFact,
  isPending,
  replyFact,
  returnedFact,
  silent,
  unknownOutcomeFact,
  callOf,
  effectOf,
  finishedCallOf,
  feedbackIn,
  allowStop,
  recordAndGoOn,
  type Progress,
  goOn,
} from './facts.ts'
import { remember, type SessionContext, stopUnverified, type AgentReply } from '../record/session-context.ts'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import { runsLast } from '@donecheck/core/internal/decide/aggregate'
import { guessUsage } from '@donecheck/engine/internal/loop/run'
import { allowStopUnchecked, explainUnchecked } from '../baseline.ts'

export async function onResult(
  call: HostCall,
  result: HostResult,
  context: SessionContext,
): Promise<HostAnswer> {
  const { session } = context
  if (session.state.phase.kind === 'stopped') return pass
  await recordHeld(context)
  const { phase } = session.state
  if (phase.kind !== 'calling' && phase.kind !== 'acting') return answerOf('over', context)
  const made = finishedCallOf(call, context)
  closeOpen(made, context)
  const wasPending = isPending(session, made)
  const reply = phase.kind === 'calling' ? [replyFact(silent, [made], 'tool-calls', context)] : []
  const facts = [...reply, calledFact(made, effectOf(call.act)), returnedFact(made, result, context)]
  if (wasPending || phase.kind === 'calling') return answerOf(await recordAndGoOn(facts, context), context)
  await session.tell(...facts)
  return pass
}

type Replied = Extract<HostEvent, { kind: 'replied' }>

export async function onReply(
  { text, calls, usage, costUsd }: Replied,
  context: SessionContext,
): Promise<HostAnswer> {
  const { session } = context
  if (session.state.phase.kind === 'stopped') return pass
  await settlePending(context)
  await recordHeldReply(context)
  if (session.state.phase.kind !== 'calling') return answerOf('over', context)
  const spoken = { text, usage, costUsd: costUsd ?? null }
  const { refusals } = context.memory
  if (calls.length === 0 && refusals.length === 0) {
    remember(context, { held: spoken })
    return pass
  }
  remember(context, { refusals: [] })
  const made = calls.map((call) => callOf(call, context))
  const proposed = [...refusals.map(({ call }) => call), ...made]
  const refused = refusals.flatMap(({ facts }) => facts)
  const facts = [replyFact(spoken, proposed, 'tool-calls', context), ...refused]
  return answerOf(await recordAndGoOn(facts, context), context)
}

function answerOf(going: Progress, context: SessionContext): HostAnswer {
  const end = endOf(context.session.state)
  if (end !== undefined && going !== 'at-work') return endNow(end)
  const advice = adviceIn(context).filter((one) => !context.memory.adviceGiven.includes(one))
  if (advice.length === 0) return pass
  remember(context, { adviceGiven: [...context.memory.adviceGiven, ...advice].slice(-maxReported) })
  return { kind: 'pass', context: advice.join('\n\n') }
}

const maxReported = 20

async function recordHeld(context: SessionContext): Promise<void> {
  await recordHeldReply(context)
  const { refusals } = context.memory
  if (refusals.length === 0 || context.session.state.phase.kind !== 'calling') return
  remember(context, { refusals: [] })
  const calls = refusals.map(({ call }) => call)
  const facts = refusals.flatMap((refusal) => refusal.facts)
  await recordAndGoOn([replyFact(silent, calls, 'tool-calls', context), ...facts], context)
}

async function recordHeldReply(context: SessionContext): Promise<void> {
  const { held } = context.memory
  if (held === null || context.session.state.phase.kind !== 'calling') return
  remember(context, { held: null })
  await recordAndGoOn([replyFact(held, [], 'tool-calls', context)], context)
}

async function settlePending(context: SessionContext): Promise<void> {
  const { phase } = context.session.state
  if (phase.kind !== 'acting') return
  const facts = phase.pending.flatMap(({ call, announcedAs }): readonly NewEvent[] => [
    ...(announcedAs === undefined ? [calledFact(call, 'execute')] : []),
    unknownOutcomeFact(call),
  ])
  await recordAndGoOn(facts, context)
}

export async function settleOpen(context: SessionContext): Promise<void> {
  const { open } = context.memory
  remember(context, { open: [] })
  if (!context.parts.choices.silentFailures || open.length === 0) return
  if (context.session.state.phase.kind !== 'calling') return
  const calls = open.map(({ call }) => call)
  const facts = open.flatMap(({ call, isRead }): readonly NewEvent[] => [
    calledFact(call, isRead ? 'read' : 'execute'),
    returnedFact(call, { status: 'error', output: '' }, context),
  ])
  await recordAndGoOn([replyFact(silent, calls, 'tool-calls', context), ...facts], context)
}

function closeOpen({ callId }: ToolCall, context: SessionContext): void {
  remember(context, { open: context.memory.open.filter(({ call }) => call.callId !== callId) })
}

export async function onStop(stop: HostStop, context: SessionContext): Promise<HostAnswer> {
  const { session } = context
  await context.world()
  if (!isClaimed(context)) {
    await settlePending(context)
    await settleOpen(context)
    const held = context.memory.held
    remember(context, { held: null })
    await recordHeld(context)
    if (session.state.phase.kind === 'calling')
      await session.tell(replyFact(replyOfStop(stop, held, context), [], 'stop', context))
  }
  const why = await explainUnchecked(context)
  if (why !== undefined) await allowStopUnchecked(why, context)
  return concludeTurn(await goOn(context), context)
}

function isClaimed({ session }: SessionContext): boolean {
  const { phase, tally } = session.state
  return phase.kind === 'judging' && tally.claimed
}

function replyOfStop({ text }: HostStop, held: AgentReply | null, { session }: SessionContext): AgentReply {
  if (held !== null) return held.text.trim() === '' ? { ...held, text } : held
  return { text, usage: guessUsage(text, session.state), costUsd: null }
}

/** Any work counts, because a check may depend on what no fingerprint covers. */
export async function isChangedSince(
  context: SessionContext,
  wasClaimedMeanwhile: boolean,
): Promise<boolean> {
  if (context.memory.workedAfterEnd) return true
  const { workspace, checks } = context.session.state
  const { verified } = workspace
  const seen = Object.values(checks).flatMap(({ latest }) => latest?.fingerprint ?? [])
  const { doors } = await context.world()
  if (verified === undefined || doors.workspace === null) return false
  try {
    const now = await doors.workspace.fingerprint(context.signal)
    return now !== verified || (wasClaimedMeanwhile && seen.some((tree) => tree !== now))
  } catch {
    return true
  }
}

async function concludeTurn(first: Progress, context: SessionContext): Promise<HostAnswer> {
  const { session } = context
  const going = first === 'broken-off' ? await afterBreak(context) : first
  const end = endOf(session.state)
  if (going === 'over' && end !== undefined)
    return end.outcome === 'unverified' && isQuiet(end) ? pass : allowStop(end)
  const feedback = feedbackIn(context) ?? 'The checks have not confirmed that this is done.'
  remember(context, { blocked: { turn: session.state.turn, feedback }, adviceGiven: [] })
  return { kind: 'block', feedback }
}

function isQuiet({ verdicts }: StopTransition): boolean {
  return verdicts.length === 0
}

/** The time for the checks, or the session, is over: their result is unknown and counts as broken. */
async function afterBreak(context: SessionContext): Promise<Progress> {
  const { parts, session } = context
  if (!parts.signal.aborted) {
    const { phase, settings } = session.state
    const shown = settings.verifiers.filter(({ role }) => !runsLast(role)).map(({ name }) => name)
    const started: readonly NewEvent[] =
      phase.kind === 'verifying' ? [] : [{ type: 'verification-started', trigger: 'claim', verifiers: shown }]
    const awaiting = phase.kind === 'verifying' ? phase.awaiting : shown
    if (awaiting.length > 0) await session.tell(...started, ...awaiting.map(undecidedVerdict))
  }
  return goOn(context, new AbortController().signal)
}

function undecidedVerdict(verifier: string): NewEvent {
  const reason = 'the checks did not end within the time that the hook of the agent has'
  return {
    type: 'verdict-given',
    verdict: {
      verifier,
      status: 'error',
      reason,
      canRetry: true,
      qualifiers: [],
      evidence: [],
      durationMs: 0,
    },
  }
}

export async function onFailure(message: string, context: SessionContext): Promise<HostAnswer> {
  await settlePending(context)
  await settleOpen(context)
  await recordHeld(context)
  if (context.session.state.phase.kind !== 'calling') return pass
  const failure = { kind: 'server-error' as const, message: message || 'the model failed', retryable: false }
  await recordAndGoOn([{ type: 'model-failed', failure, usage: null, costUsd: null }], context)
  return pass
}

export async function onSessionEnd(context: SessionContext): Promise<HostAnswer> {
  const { session } = context
  if (session.state.phase.kind === 'stopped') return pass
  if (context.memory.waitsFor.length > 0) return onEndOfWaiting(context)
  await session.tell({ type: 'interrupt-requested', by: 'the end of the session' })
  await goOn(context)
  return pass
}

async function onEndOfWaiting(context: SessionContext): Promise<HostAnswer> {
  const awaited = context.memory.waitsFor.join(', ')
  const message = `the session ended while the agent waited for ${awaited}; nothing was verified`
  await stopUnverified(context, { reason: 'blocked', outcome: 'blocked', message })
  return pass
}
