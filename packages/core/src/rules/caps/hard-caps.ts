/** Every cap warns at 80% and ends the run before a step that would exceed it (I9). */
import {
  capRule,
  type RunState,
  isMidTurn,
  findingKey,
  toolCapRule,
  type PendingCall,
  type Rule,
  evolve,
} from '../../state/index.ts'
import type { Finding, RunEvent } from '../../events/index.ts'
import { type CapName, countOf, capTable, nounOf, type Amount, type Budget } from '../../budgets/index.ts'
import { toolCallCountOf, reservationOf, spendingOf, lastCheckMs } from './amounts.ts'
import { partBudgets } from './part-budget.ts'

const warningShare = 0.8

type Need = 'nothing' | 'a turn' | 'a model call' | 'a tool call'

function nextNeed(state: RunState): Need {
  switch (state.phase.kind) {
    case 'starting':
    case 'idle':
      return 'a turn'
    case 'judging':
      return isMidTurn(state) ? 'a model call' : 'a turn'
    case 'retrying':
      return 'a model call'
    case 'acting':
      return 'a tool call'
    case 'calling':
    case 'agent-failed':
    case 'verifying':
    case 'stopped':
      return 'nothing'
  }
}

interface CapReading {
  readonly cap: CapName
  readonly limit: number | null
  readonly used: number
  readonly isReached: boolean
  /** Such as `7 of 8 turns`. */
  readonly text: string
  /** The message when the cap is used up. Default: the limit is reached, with the text. */
  readonly reached?: string
}

function capFinding(state: RunState, reading: CapReading): Finding | undefined {
  const { cap, limit, used } = reading
  if (limit === null) return undefined
  const body = { rule: capRule(cap), numbers: { used, limit }, basedOn: [state.sequence] }
  if (reading.isReached) {
    const { text, reached = `limit reached: ${text}` } = reading
    const message = used >= limit ? reached : `${text}: no room for the next step`
    return { ...body, level: 'stop', message, stop: { reason: 'hard_cap', cap } }
  }
  if (used < limit * warningShare) return undefined
  return { ...body, level: 'warn', message: `${reading.text} used` }
}

/** Reports one tool at a time, near and at its limit. It never stops the run. */
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
    basedOn: [state.sequence],
  }
}

function limitOf({ settings }: RunState, tool: string): number {
  return Object.hasOwn(settings.caps.maxCallsPerTool, tool)
    ? countOf(settings.caps.maxCallsPerTool, tool)
    : Number.POSITIVE_INFINITY
}

type FirstCalls =
  | { readonly kind: 'fit'; readonly callIds: readonly string[] }
  | { readonly kind: 'over'; readonly callIds: readonly string[]; readonly reason: string }

/** The longest prefix of a batch with one outcome, so that calls are answered in order. */
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

function countedCap(amount: Amount): Rule {
  const { cap, field } = capTable[amount]
  return (state) => {
    const limit = state.settings.caps[field]
    const used = spendingOf(state, amount)
    const left = (limit ?? Number.POSITIVE_INFINITY) - used
    const isReached = isNext(state, amount) && left < Math.max(1, reservationOf(state, amount))
    const noun = nounOf(amount)
    const reached = `${noun} limit reached (${used} of ${limit})`
    return capFinding(state, { cap, limit, used, isReached, text: `${used} of ${limit} ${noun}s`, reached })
  }
}

/** An agent that cannot report usage is not limited by tokens; the run says so. */
function isNext(state: RunState, amount: Amount): boolean {
  const need = nextNeed(state)
  if (amount === 'iterations') return need === 'a turn'
  if (amount === 'toolCalls') return need !== 'nothing'
  const isCounted = capTable[amount].kind !== 'tokens' || state.agent.reportsUsage
  return isCounted && (need === 'a turn' || need === 'a model call')
}

/** Reserves the next prompt and the smallest reply, unless the agent only reports past cost. */
const costCap: Rule = (state) => {
  const limit = state.settings.caps.maxCostUsd
  const { prices, reportsCost } = state.agent
  if (limit === null || (prices === null && reportsCost !== true)) return undefined
  const need = nextNeed(state)
  if (state.consumption.costUsd === null) return costUnknown(state, limit)
  const used = spendingOf(state, 'costUsd')
  const isCallNext = need === 'a turn' || need === 'a model call'
  const isReached =
    isCallNext && (prices === null ? used >= limit : used + reservationOf(state, 'costUsd') > limit)
  const text = `$${used.toFixed(4)} of $${limit}`
  return capFinding(state, { cap: 'cost', limit, used, isReached, text })
}

/** A call without usage may have cost anything, so the cap counts as reached. */
function costUnknown(state: RunState, limit: number): Finding | undefined {
  const isReached = nextNeed(state) !== 'nothing'
  const text = `unknown cost (${state.consumption.callsWithoutUsage} calls without usage) of $${limit}`
  return isReached ? capFinding(state, { cap: 'cost', limit, used: 0, isReached, text }) : undefined
}

/** Sleep between stop and resume, and waits for a person or provider, do not count. */
const wallClockCap: Rule = (state) => {
  const limit = state.settings.caps.maxWallClockMs
  const used = spendingOf(state, 'wallClockMs')
  const next = used + lastCheckMs(state)
  const isReached = limit !== null && nextNeed(state) !== 'nothing' && next >= limit
  const kept = isReached ? lastCheckWords(state) : ''
  const text = `${(used / 1000).toFixed(1)} of ${(limit ?? 0) / 1000} s${kept}`
  return capFinding(state, { cap: 'wall_clock', limit, used, isReached, text })
}

function lastCheckWords(state: RunState): string {
  const keptMs = lastCheckMs(state)
  return keptMs === 0 ? '' : ` (${(keptMs / 1000).toFixed(1)} s are kept for the last check)`
}

/** Consecutive blocked stops without a better score. Only verified progress resets it. */
const blockedStopsCap: Rule = (state) => {
  const limit = state.settings.caps.maxBlockedStops
  const times = state.blockedStops
  // The feedback of the last turn has not been sent yet.
  const isReached = limit !== null && nextNeed(state) === 'a turn' && !state.turnOpen && times > limit
  const used = Math.min(times, limit ?? times)
  const text = `stop blocked ${used} of ${limit} times without a better score than ever`
  return capFinding(state, { cap: 'blocked_stops', limit, used, isReached, text })
}

export const hardCaps: readonly Rule[] = [
  countedCap('iterations'),
  countedCap('modelCalls'),
  countedCap('toolCalls'),
  callsPerToolCap,
  countedCap('tokens'),
  costCap,
  wallClockCap,
  blockedStopsCap,
  partBudgets,
]

/** Whether the run's next step fits after this top-up. @param state of a stopped run */
export function liftsCap(
  state: RunState,
  cap: CapName,
  added: Partial<Budget>,
  rules: readonly Rule[],
): boolean {
  const header = { schemaVersion: 1, id: '', runId: state.runId, timeMs: state.nowMs } as const
  const events: readonly RunEvent[] = [
    { ...header, sequence: state.sequence + 1, type: 'run-resumed', holder: '' },
    { ...header, sequence: state.sequence + 2, type: 'budget-added', by: '', added },
  ]
  const woken = events.reduce<RunState>(evolve, state)
  return !rules.some((rule) => {
    const finding = rule(woken)
    return finding?.level === 'stop' && finding.stop.reason === 'hard_cap' && finding.stop.cap === cap
  })
}
