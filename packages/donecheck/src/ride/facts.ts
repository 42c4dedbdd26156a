/** What the host tells, as facts of the run. */
import type { HostResult } from '../agents/index.ts'
import type { Told, TokenUsage, ToolCall, ToolEffect } from '../events/index.ts'
import { costOf } from '../core/index.ts'
import { toolReturned } from '../run/index.ts'
import type { Place } from './place.ts'
import { boundedText } from './recorded-call.ts'

export interface Spoken {
  readonly text: string
  readonly usage: TokenUsage | null
  readonly costUsd: number | null
}

/** A call that comes without its reply: nobody has told what that reply used. */
export const silent: Spoken = { text: '', usage: null, costUsd: null }

export function replyFact(
  { text, usage, costUsd }: Spoken,
  toolCalls: readonly ToolCall[],
  finish: 'stop' | 'tool-calls',
  { session }: Pick<Place, 'session'>,
): Told {
  const { prices } = session.state.drive
  const reckoned = usage === null || prices === null ? null : costOf(usage, prices)
  return {
    type: 'model-replied',
    text: boundedText(text, longestReply),
    toolCalls,
    finish,
    usage,
    costUsd: costUsd ?? reckoned,
  }
}

const longestReply = 32_000
const longestOutput = 32_000

export function calledFact({ callId, tool }: ToolCall, effect: ToolEffect): Told {
  return { type: 'tool-called', callId, tool, effect }
}

export function returnedFact(call: ToolCall, result: HostResult, { session, parts }: Place): Told {
  const outcome = {
    // An agent that does not say how a call ended has not said that it failed.
    status: result.status === 'error' ? ('error' as const) : ('ok' as const),
    output: boundedText(result.output, longestOutput),
  }
  const { state } = session
  const { normaliseResult } = parts
  const world = normaliseResult === undefined ? {} : { normaliseResult }
  const fact = toolReturned(call.callId, call.tool, outcome, { state, secrets: parts.secrets, world })
  const { durationMs } = result
  const isKnown = durationMs !== undefined && Number.isFinite(durationMs) && durationMs >= 0
  return isKnown ? { ...fact, durationMs } : fact
}

/** Nobody has told what became of it. */
export function unknownFateFact({ callId }: Pick<ToolCall, 'callId'>): Told {
  return { type: 'tool-returned', callId, status: 'unknown', output: '' }
}
