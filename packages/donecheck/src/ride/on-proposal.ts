/** Before a tool runs. What may run leaves no trace in the record until it has run; what is refused does. */
import type { HostAnswer, HostCall } from '../agents/index.ts'
import type { Decision } from '../core/index.ts'
import type { RunState, Told, ToolCall } from '../events/index.ts'
import type { Approver, GateDecision } from '../ports.ts'
import { clearCall, type Clearing } from '../run/index.ts'
import { endNow, endOf, pass } from './answers.ts'
import { replyFact, silent } from './facts.ts'
import { tellAndGoOn } from './go-on.ts'
import { hostDrive } from './host-drive.ts'
import { ownTool } from './own-tool.ts'
import { remember, type Place } from './place.ts'
import { callOf } from './recorded-call.ts'

export async function onProposal(call: HostCall, place: Place): Promise<HostAnswer> {
  const { state } = place.session
  const end = endOf(state)
  // A cap, a loop: what the host could not end then is refused call by call.
  if (end?.outcome === 'exhausted' && isAtCalls(state)) return endNow(end)
  const proposed = callOf(call, place)
  if (end === undefined) {
    const refusal = engineRefusal(proposed, place)
    if (refusal !== undefined) return refused(proposed, [refusal], place)
  }
  const isAsked = call.act.kind !== 'read' || place.parts.watchesCalls
  const answer = isAsked ? await askGate(call, proposed, place) : pass
  if (answer.kind !== 'pass') return answer
  if (end === undefined && (call.callId === '' || keepsOpen(place))) {
    const open = [...place.memory.open, { call: proposed, isRead: call.act.kind === 'read' }]
    remember(place, { open: open.slice(-mostOpen) })
  }
  return answer
}

/** Ended in the middle of a turn of the host, not at its claim: for the host that turn goes on. */
function isAtCalls({ turnOpen, lastReplyFinish }: RunState): boolean {
  return turnOpen || lastReplyFinish === 'tool-calls'
}

/** More at a time is a host that never tells what became of them. */
const mostOpen = 100

/** Where nothing depends on it, a proposal need not be written down. */
function keepsOpen({ parts, session }: Place): boolean {
  return parts.choices.silentFailures || parts.keepsProposals || hasToolCaps(session.state.settings.caps)
}

function hasToolCaps(caps: Place['session']['state']['settings']['caps']): boolean {
  return caps.maxToolCalls !== null || Object.keys(caps.maxCallsPerTool).length > 0
}

/** What the rules of the engine have against it. Undefined: nothing. */
function engineRefusal(call: ToolCall, place: Place): Told | undefined {
  const { callId } = call
  const decision = decisionOn(call, place)
  switch (decision.kind) {
    case 'run-tools':
      if (decision.callIds.includes(callId)) return undefined
      return { type: 'tool-refused', callId, by: 'cap', reason: 'no tool call is left in this run' }
    case 'refuse-tools':
      return { type: 'tool-refused', callId, by: decision.by, reason: decision.reason }
    default:
      return undefined
  }
}

/** The call, together with those that are under way: a cap on calls is kept for all of them (I9). */
function decisionOn(call: ToolCall, place: Place): Decision {
  const { session, memory } = place
  const { phase } = session.state
  const isPending =
    phase.kind === 'acting' && phase.pending.some(({ call: { callId } }) => callId === call.callId)
  const calls = [...memory.open.map((open) => open.call), call]
  const facts: Told[] = isPending ? [] : [replyFact(silent, calls, 'tool-calls', place)]
  for (let step = 0; step < mostSteps; step += 1) {
    const decision = session.consider(...facts)
    const refusesOthers = decision.kind === 'refuse-tools' && !decision.callIds.includes(call.callId)
    if (decision.kind === 'note') facts.push({ type: 'finding-noted', finding: decision.finding })
    else if (refusesOthers)
      for (const callId of decision.callIds)
        facts.push({ type: 'tool-refused', callId, by: decision.by, reason: decision.reason })
    else return decision
  }
  return session.consider(...facts)
}

const mostSteps = 50

async function askGate(call: HostCall, proposed: ToolCall, place: Place): Promise<HostAnswer> {
  const { parts, session, signal, memory } = place
  const facts: Told[] = []
  const rehearsal = session.rehearsal((fact) => facts.push(fact))
  await rehearsal.tell(replyFact(silent, [proposed], 'tool-calls', place))
  facts.length = 0
  const asked: GateDecision[] = []
  const { workFolder, ownPlaces, watchesCalls } = parts
  const { gate, prepare } = await parts.gate(memory.baselineRunId ?? session.runId, call.act.kind)
  const world: Clearing = {
    drive: hostDrive(session.state.drive, ownTool(call, prepare, { workFolder, ownPlaces })),
    tools: [],
    hooks: watchesCalls ? (await place.world()).doors.hooks : noHooks,
    gate,
    approver: approverOf(place, asked),
    signal: AbortSignal.any([signal, parts.signal]),
    history: () => place.recorded,
  }
  const cleared = await clearCall(proposed, rehearsal, world, world.signal)
  if (cleared.kind === 'refused')
    return refused(
      proposed,
      [...facts, { type: 'tool-refused', callId: proposed.callId, ...cleared.fact }],
      place,
    )
  const [question] = asked
  if (question === undefined) return { kind: 'pass', allowed: true }
  return parts.choices.onGatePrompt === 'ask' ? { kind: 'ask', reason: question.reason } : pass
}

const noHooks: Clearing['hooks'] = {
  has: () => false,
  fire: () => Promise.resolve({ merged: {}, ran: [] }),
}

/** The agent has its own way of asking: then a question of the gate is only heard. */
function approverOf({ parts }: Place, asked: GateDecision[]): Approver {
  const { approver, choices } = parts
  if (choices.onGatePrompt === 'approver' && approver !== undefined) return approver
  return {
    ask: ({ reason }) => {
      asked.push({ kind: 'prompt', reason })
      return Promise.resolve({
        approved: true,
        by: parts.agent,
        reason: 'left to the permissions of the agent',
      })
    },
  }
}

/** Recorded as a call that was never run; in a run that is over it is refused all the same. */
async function refused(call: ToolCall, facts: readonly Told[], place: Place): Promise<HostAnswer> {
  const last = facts.at(-1)
  const reason = last?.type === 'tool-refused' ? last.reason : 'refused'
  const { session, memory, parts } = place
  const { phase } = session.state
  if (phase.kind === 'stopped') return { kind: 'refuse', reason }
  if (parts.choices.reportsUsage && phase.kind === 'calling') {
    // The host tells the reply with its usage later: the refusal is recorded with that.
    remember(place, { refusals: [...memory.refusals, { call, facts }] })
    return { kind: 'refuse', reason }
  }
  const isPending =
    phase.kind === 'acting' && phase.pending.some(({ call: { callId } }) => callId === call.callId)
  const reply = isPending || phase.kind === 'acting' ? [] : [replyFact(silent, [call], 'tool-calls', place)]
  const going = await tellAndGoOn([...reply, ...facts], place)
  const end = endOf(session.state)
  return going === 'over' && end !== undefined ? endNow(end) : { kind: 'refuse', reason }
}
