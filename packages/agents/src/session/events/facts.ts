/** What the host tells, as facts of the run. */
import type { HostResult } from '../../protocol/host/index.ts'
import type { NewEvent, ToolCall, ToolEffect } from '@donecheck/core/events'
import { costOf } from '@donecheck/core/budgets'
import { toolReturned } from '@donecheck/engine/run'
import type { AgentReply } from '../record/memory.ts'
import type { SessionContext } from '../record/session-context.ts'
import { boundText } from './bounded-event.ts'

/** A call that comes without its reply: nobody has told what that reply used. */
export const silent: AgentReply = { text: '', usage: null, costUsd: null }

export function replyFact(
  { text, usage, costUsd }: AgentReply,
  toolCalls: readonly ToolCall[],
  finish: 'stop' | 'tool-calls',
  { session }: Pick<SessionContext, 'session'>,
): NewEvent {
  const { prices } = session.state.drive
  const estimated = usage === null || prices === null ? null : costOf(usage, prices)
  return {
    type: 'model-replied',
    text: boundText(text, maxReplyLength),
    toolCalls,
    finish,
    usage,
    costUsd: costUsd ?? estimated,
  }
}

const maxReplyLength = 32_000
const maxOutputLength = 32_000

export function calledFact({ callId, tool }: ToolCall, effect: ToolEffect): NewEvent {
  return { type: 'tool-called', callId, tool, effect }
}

export function returnedFact(
  call: ToolCall,
  result: HostResult,
  { session, parts }: SessionContext,
): NewEvent {
  const outcome = {
    // An agent that does not say how a call ended has not said that it failed.
    status: result.status === 'error' ? ('error' as const) : ('ok' as const),
    output: boundText(result.output, maxOutputLength),
  }
  const { state } = session
  const fact = toolReturned(call.callId, call.tool, outcome, { state, secrets: parts.secrets })
  const { durationMs } = result
  const isKnown = durationMs !== undefined && Number.isFinite(durationMs) && durationMs >= 0
  return isKnown ? { ...fact, durationMs } : fact
}

/** Nobody has told what became of it. */
export function unknownOutcomeFact({ callId }: Pick<ToolCall, 'callId'>): NewEvent {
  return { type: 'tool-returned', callId, status: 'unknown', output: '' }
}

/** The call was proposed with a reply, and has not ended. */
export function isPending({ state }: SessionContext['session'], { callId }: ToolCall): boolean {
  const { phase } = state
  return phase.kind === 'acting' && phase.pending.some(({ call }) => call.callId === callId)
}
