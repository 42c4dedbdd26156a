/** After a tool has run, and after a reply of the model was told. */
import type { HostAnswer, HostCall, HostEvent, HostResult } from '../agents/index.ts'
import type { Told, ToolCall } from '../events/index.ts'
import { adviceIn, endNow, endOf, pass } from './answers.ts'
import { calledFact, replyFact, returnedFact, silent, unknownFateFact } from './facts.ts'
import { tellAndGoOn, type Going } from './go-on.ts'
import { remember, type Place } from './place.ts'
import { callOf, effectOf, finishedCallOf } from './recorded-call.ts'

export async function onResult(call: HostCall, result: HostResult, place: Place): Promise<HostAnswer> {
  const { session } = place
  if (session.state.phase.kind === 'stopped') return pass
  await flush(place)
  const { phase } = session.state
  // It was refused, or has ended the run, with what was told before it.
  if (phase.kind !== 'calling' && phase.kind !== 'acting') return answerOf('over', place)
  const made = finishedCallOf(call, place)
  closeOpen(made, place)
  const isPending = isPendingIn(phase, made)
  const reply = phase.kind === 'calling' ? [replyFact(silent, [made], 'tool-calls', place)] : []
  const facts = [...reply, calledFact(made, effectOf(call.act)), returnedFact(made, result, place)]
  if (isPending || phase.kind === 'calling') return answerOf(await tellAndGoOn(facts, place), place)
  await session.tell(...facts)
  return pass
}

type Replied = Extract<HostEvent, { kind: 'replied' }>

export async function onReply({ text, calls, usage, costUsd }: Replied, place: Place): Promise<HostAnswer> {
  const { session } = place
  if (session.state.phase.kind === 'stopped') return pass
  await settlePending(place)
  await flushHeld(place)
  if (session.state.phase.kind !== 'calling') return answerOf('over', place)
  const spoken = { text, usage, costUsd: costUsd ?? null }
  const { refusals } = place.memory
  if (calls.length === 0 && refusals.length === 0) {
    remember(place, { held: spoken })
    return pass
  }
  remember(place, { refusals: [] })
  const made = calls.map((call) => callOf(call, place))
  const proposed = [...refusals.map(({ call }) => call), ...made]
  const refused = refusals.flatMap(({ facts }) => facts)
  const facts = [replyFact(spoken, proposed, 'tool-calls', place), ...refused]
  return answerOf(await tellAndGoOn(facts, place), place)
}

function answerOf(going: Going, place: Place): HostAnswer {
  const end = endOf(place.session.state)
  if (end !== undefined && going !== 'at-work') return endNow(end)
  const advice = adviceIn(place).filter((one) => !place.memory.told.includes(one))
  if (advice.length === 0) return pass
  remember(place, { told: [...place.memory.told, ...advice].slice(-mostTold) })
  return { kind: 'pass', context: advice.join('\n\n') }
}

const mostTold = 20

/** What was kept back until it was known what follows: a reply that was no claim, refusals whose reply nobody has told. */
export async function flush(place: Place): Promise<void> {
  await flushHeld(place)
  const { refusals } = place.memory
  if (refusals.length === 0 || place.session.state.phase.kind !== 'calling') return
  remember(place, { refusals: [] })
  const calls = refusals.map(({ call }) => call)
  const facts = refusals.flatMap((refusal) => refusal.facts)
  await tellAndGoOn([replyFact(silent, calls, 'tool-calls', place), ...facts], place)
}

async function flushHeld(place: Place): Promise<void> {
  const { held } = place.memory
  if (held === null || place.session.state.phase.kind !== 'calling') return
  remember(place, { held: null })
  await tellAndGoOn([replyFact(held, [], 'tool-calls', place)], place)
}

/** Calls of which nobody will hear any more. */
export async function settlePending(place: Place): Promise<void> {
  const { phase } = place.session.state
  if (phase.kind !== 'acting') return
  const facts = phase.pending.flatMap(({ call, announcedAs }): readonly Told[] => [
    ...(announcedAs === undefined ? [calledFact(call, 'execute')] : []),
    unknownFateFact(call),
  ])
  await tellAndGoOn(facts, place)
}

/** Calls that were proposed and not told of since: where failures are silent, they have failed. */
export async function settleOpen(place: Place): Promise<void> {
  const { open } = place.memory
  remember(place, { open: [] })
  if (!place.parts.choices.silentFailures || open.length === 0) return
  if (place.session.state.phase.kind !== 'calling') return
  const calls = open.map(({ call }) => call)
  const facts = open.flatMap(({ call, isRead }): readonly Told[] => [
    calledFact(call, isRead ? 'read' : 'execute'),
    returnedFact(call, { status: 'error', output: '' }, place),
  ])
  await tellAndGoOn([replyFact(silent, calls, 'tool-calls', place), ...facts], place)
}

function closeOpen({ callId }: ToolCall, place: Place): void {
  remember(place, { open: place.memory.open.filter(({ call }) => call.callId !== callId) })
}

function isPendingIn(phase: Place['session']['state']['phase'], { callId }: ToolCall): boolean {
  return phase.kind === 'acting' && phase.pending.some(({ call }) => call.callId === callId)
}
