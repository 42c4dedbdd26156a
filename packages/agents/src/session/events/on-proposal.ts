import type { Decision } from '@donecheck/core/internal/decide'
import type { RunState } from '@donecheck/core/internal/state'
import type { NewEvent, ToolCall } from '@donecheck/core/internal/events'
import type { Approver, Gate, GateDecision } from '@donecheck/engine/internal/ports/gate'
import { given } from '@donecheck/engine/internal/base'
import type { OwnTool } from '@donecheck/engine/internal/ports/loop'
import { authorizeCall, type Clearing } from '@donecheck/engine/internal/loop/run'
import type { HostAnswer, HostCall } from '../../protocol/host/index.ts'
import {
  endNow,
  endOf,
  pass,
  isPending,
  replyFact,
  silent,
  callOf,
  effectOf,
  factsOf,
  maxSteps,
  recordAndGoOn,
} from './facts.ts'
import { hostAgent, remember, type SessionContext } from '../record/session-context.ts'
import { prepareAct, type ActionContext } from '../calls/prepare-call.ts'

export async function onProposal(call: HostCall, context: SessionContext): Promise<HostAnswer> {
  const { state } = context.session
  const end = endOf(state)
  // A cap or loop that the host could not end: every call is refused.
  if (end?.outcome === 'exhausted' && isAtCalls(state)) return endNow(end)
  const proposed = callOf(call, context)
  if (end === undefined) {
    const refusal = engineRefusal(proposed, context)
    if (refusal !== undefined) return recordRefusal(proposed, [refusal], context)
  }
  const isAsked = call.act.kind !== 'read' || context.parts.watchesCalls
  const answer = isAsked ? await askGate(call, proposed, context) : pass
  if (answer.kind !== 'pass') return answer
  if (end === undefined && (call.callId === '' || keepsOpen(context))) {
    const open = [...context.memory.open, { call: proposed, isRead: call.act.kind === 'read' }]
    remember(context, { open: open.slice(-maxOpen) })
  }
  return answer
}

function isAtCalls({ turnOpen, lastReplyFinish }: RunState): boolean {
  return turnOpen || lastReplyFinish === 'tool-calls'
}

const maxOpen = 100

function keepsOpen({ parts, session }: SessionContext): boolean {
  const { maxToolCalls, maxCallsPerTool } = session.state.settings.caps
  const hasToolCaps = maxToolCalls !== null || Object.keys(maxCallsPerTool).length > 0
  return parts.choices.silentFailures || parts.keepsProposals || hasToolCaps
}

function engineRefusal(call: ToolCall, context: SessionContext): NewEvent | undefined {
  const { callId } = call
  const decision = decisionOn(call, context)
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

/** Decides together with the open calls, so that call caps hold (I9). */
function decisionOn(call: ToolCall, context: SessionContext): Decision {
  const { session, memory } = context
  const calls = [...memory.open.map((open) => open.call), call]
  const facts: NewEvent[] = isPending(session, call) ? [] : [replyFact(silent, calls, 'tool-calls', context)]
  for (let step = 0; step < maxSteps; step += 1) {
    const decision = session.consider(...facts)
    const refusesOthers = decision.kind === 'refuse-tools' && !decision.callIds.includes(call.callId)
    if (decision.kind !== 'note' && !refusesOthers) return decision
    facts.push(...factsOf(decision))
  }
  return session.consider(...facts)
}

async function askGate(call: HostCall, proposed: ToolCall, context: SessionContext): Promise<HostAnswer> {
  const { parts, session, signal } = context
  const facts: NewEvent[] = []
  const rehearsal = session.rehearsal((fact) => facts.push(fact))
  await rehearsal.tell(replyFact(silent, [proposed], 'tool-calls', context))
  facts.length = 0
  const asked: GateDecision[] = []
  const { workFolder, ownPlaces, watchesCalls } = parts
  const gate = await parts.gate()
  const decisions: GateDecision[] = []
  const check: Gate['check'] = async (request) => {
    const decision = await gate.check(request)
    decisions.push(decision)
    return decision
  }
  const world: Clearing = {
    agent: hostAgent(session.state.agent, ownTool(call, { workFolder, ownPlaces })),
    tools: [],
    hooks: watchesCalls ? (await context.world()).doors.hooks : noHooks,
    gate: { ...gate, check },
    approver: approverOf(context, asked),
    signal: AbortSignal.any([signal, parts.signal]),
    history: () => context.recorded,
  }
  const cleared = await authorizeCall(proposed, rehearsal, world, world.signal)
  if (cleared.kind === 'refused')
    return recordRefusal(
      proposed,
      [...facts, { type: 'tool-refused', callId: proposed.callId, ...cleared.fact }],
      context,
    )
  const [question] = asked
  const isOwnCheck = decisions.at(-1)?.isOwnCheck
  if (question === undefined) return { kind: 'pass', allowed: true, ...given({ isOwnCheck }) }
  return parts.choices.onGatePrompt === 'ask' ? { kind: 'ask', reason: question.reason } : pass
}

const noHooks: Clearing['hooks'] = {
  has: () => false,
  fire: () => Promise.resolve({ merged: {}, ran: [] }),
}

function approverOf({ parts }: SessionContext, asked: GateDecision[]): Approver {
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

async function recordRefusal(
  call: ToolCall,
  facts: readonly NewEvent[],
  context: SessionContext,
): Promise<HostAnswer> {
  const last = facts.at(-1)
  const reason = last?.type === 'tool-refused' ? last.reason : 'refused'
  const { session, memory, parts } = context
  const { phase } = session.state
  if (phase.kind === 'stopped') return { kind: 'refuse', reason }
  if (parts.choices.reportsUsage && phase.kind === 'calling') {
    // The host reports the reply later; the refusal is recorded with it.
    remember(context, { refusals: [...memory.refusals, { call, facts }] })
    return { kind: 'refuse', reason }
  }
  const reply = phase.kind === 'acting' ? [] : [replyFact(silent, [call], 'tool-calls', context)]
  const going = await recordAndGoOn([...reply, ...facts], context)
  const end = endOf(session.state)
  return going === 'over' && end !== undefined ? endNow(end) : { kind: 'refuse', reason }
}

function ownTool(call: HostCall, context: ActionContext): OwnTool {
  return {
    name: call.tool,
    description: '',
    parameters: {},
    effect: effectOf(call.act),
    isAsked: true,
    prepare: () => prepareAct(call, context),
  }
}
