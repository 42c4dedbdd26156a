/** Caps of single tools: one call more of that tool is refused, the others go on, and the run does too. */
import { countOf } from '../../budgets/index.ts'
import { findingKey, toolCapRule, type PendingCall, type RunState, type Rule } from '../../state/index.ts'
import type { Finding } from '../../events/index.ts'
import { toolCallCountOf } from './amounts.ts'
import { warningShare } from './cap.ts'

/** What is to be said of the tools, one after the other: once near the end, once at the end; never that the run must stop. */
export const callsPerToolCap: Rule = (state) =>
  Object.keys(state.settings.caps.maxCallsPerTool)
    .flatMap((tool) => findingOf(state, tool) ?? [])
    .find((finding) => !state.noted.includes(findingKey(finding)))

function findingOf(state: RunState, tool: string): Finding | undefined {
  const limit = limitOf(state, tool)
  const used = toolCallCountOf(state, tool)
  if (used < limit * warningShare) return undefined
  const isReached = used >= limit
  const words = isReached ? 'one more will be refused' : 'used'
  return {
    rule: toolCapRule,
    key: tool,
    level: isReached ? 'warn' : 'note',
    message: `${used} of ${limit} calls of ${tool}${isReached ? ': ' : ' '}${words}`,
    numbers: { used, limit },
    restsOn: [state.sequence],
  }
}

function limitOf({ settings }: RunState, tool: string): number {
  return Object.hasOwn(settings.caps.maxCallsPerTool, tool)
    ? countOf(settings.caps.maxCallsPerTool, tool)
    : Number.POSITIVE_INFINITY
}

export type FirstCalls =
  /** The calls from the first one on that fit under the caps of their tools. */
  | { readonly kind: 'fit'; readonly callIds: readonly string[] }
  /** The calls from the first one on that do not. */
  | { readonly kind: 'over'; readonly callIds: readonly string[]; readonly reason: string }

/** The longest beginning of a batch that has one outcome, so that calls are answered in their order. */
export function firstCalls(state: RunState, pending: readonly PendingCall[]): FirstCalls {
  const planned: Record<string, number> = {}
  const isOver = pending.map(({ call: { tool } }) => {
    const before = toolCallCountOf(state, tool) + countOf(planned, tool)
    planned[tool] = countOf(planned, tool) + 1
    return before >= limitOf(state, tool)
  })
  const first = pending[0]
  const change = isOver.findIndex((over) => over !== isOver[0])
  const callIds = pending.slice(0, change === -1 ? undefined : change).map(({ call }) => call.callId)
  if (first === undefined || isOver[0] !== true) return { kind: 'fit', callIds }
  // One tool at a time, so that the reason names it.
  const { tool } = first.call
  const other = pending.findIndex(({ call }) => call.tool !== tool)
  return {
    kind: 'over',
    callIds: callIds.slice(0, other === -1 ? undefined : other),
    reason: `the cap of ${limitOf(state, tool)} calls of ${tool} is reached; go on without it`,
  }
}
