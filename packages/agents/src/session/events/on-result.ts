/** After a tool has run, and after a reply of the model was told. */
import type { HostAnswer, HostCall, HostEvent, HostResult } from '../../protocol/host/index.ts'
import type { NewEvent, ToolCall } from '@donecheck/core/events'
import { adviceIn, endNow, endOf, pass } from './answers.ts'
import { calledFact, isPending, replyFact, returnedFact, silent, unknownOutcomeFact } from './facts.ts'
import { recordAndGoOn, type Progress } from './go-on.ts'
import { remember, type SessionContext } from '../record/session-context.ts'
import { callOf, effectOf, finishedCallOf } from './bounded-event.ts'

export async function onResult(
  call: HostCall,
  result: HostResult,
  context: SessionContext,
): Promise<HostAnswer> {
  const { session } = context
  if (session.state.phase.kind === 'stopped') return pass
  await recordHeld(context)
  const { phase } = session.state
  // It was refused, or has ended the run, with what was told before it.
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

/** What was kept back until it was known what follows: a reply that was no claim, refusals whose reply nobody has told. */
export async function recordHeld(context: SessionContext): Promise<void> {
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

/** Calls of which nobody will hear any more. */
export async function settlePending(context: SessionContext): Promise<void> {
  const { phase } = context.session.state
  if (phase.kind !== 'acting') return
  const facts = phase.pending.flatMap(({ call, announcedAs }): readonly NewEvent[] => [
    ...(announcedAs === undefined ? [calledFact(call, 'execute')] : []),
    unknownOutcomeFact(call),
  ])
  await recordAndGoOn(facts, context)
}

/** Calls that were proposed and not told of since: where failures are silent, they have failed. */
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
