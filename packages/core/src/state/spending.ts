/** Consumption only grows (I9), except for refunds of calls that the provider refused. */
import {
  countOf,
  sumOfCounts,
  type TokenUsage,
  type Consumption,
  budgetOf,
  raiseCaps,
  sumOfBudgets,
  type Budget,
  amounts,
  capTable,
} from '../budgets/index.ts'
import type { AgentFailure, FailureKind, RunEvent, FactOf } from '../events/index.ts'
import type { RunState } from './state.ts'

export const noConsumption: Consumption = {
  iterations: 0,
  modelCalls: 0,
  toolCalls: 0,
  callsPerTool: {},
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  tokensEstimated: false,
  callsWithoutUsage: 0,
  costUsd: 0,
  activeMs: 0,
}

/** Books one reply. A null cost makes the total cost unknown. */
export function spend(
  consumption: Consumption,
  usage: TokenUsage | null,
  costUsd: number | null,
): Consumption {
  const total = consumption.costUsd === null || costUsd === null ? null : consumption.costUsd + costUsd
  if (usage === null)
    return { ...consumption, costUsd: total, callsWithoutUsage: consumption.callsWithoutUsage + 1 }
  const { inputTokens, outputTokens } = usage
  return {
    ...consumption,
    costUsd: total,
    inputTokens: consumption.inputTokens + inputTokens,
    outputTokens: consumption.outputTokens + outputTokens,
    cachedInputTokens: consumption.cachedInputTokens + partOf(usage.cachedInputTokens, inputTokens),
    reasoningTokens: consumption.reasoningTokens + partOf(usage.reasoningTokens, outputTokens),
    tokensEstimated: consumption.tokensEstimated || usage.estimated,
  }
}

/** Never more than the total, whatever a provider reports. */
function partOf(part = 0, whole: number): number {
  return Math.min(part, whole)
}

/** A clock that was set back costs nothing. */
export function spendTime(consumption: Consumption, elapsedMs: number): Consumption {
  return elapsedMs <= 0 ? consumption : { ...consumption, activeMs: consumption.activeMs + elapsedMs }
}

/** Counts only tools with their own cap, so that the count stays small. */
export function spendToolCall({ consumption, settings }: RunState, tool: string): Consumption {
  const { callsPerTool } = consumption
  const isCapped = Object.hasOwn(settings.caps.maxCallsPerTool, tool)
  return {
    ...consumption,
    toolCalls: consumption.toolCalls + 1,
    callsPerTool: isCapped ? { ...callsPerTool, [tool]: countOf(callsPerTool, tool) + 1 } : callsPerTool,
  }
}

/** The sub-run's time was already active time of this run. */
export function spendSubRun({ consumption, settings }: RunState, spent: Consumption): Consumption {
  const calls = Object.entries(spent.callsPerTool).filter(([tool]) =>
    Object.hasOwn(settings.caps.maxCallsPerTool, tool),
  )
  return {
    iterations: consumption.iterations + spent.iterations,
    modelCalls: consumption.modelCalls + spent.modelCalls,
    toolCalls: consumption.toolCalls + spent.toolCalls,
    callsPerTool: sumOfCounts(consumption.callsPerTool, Object.fromEntries(calls)),
    inputTokens: consumption.inputTokens + spent.inputTokens,
    outputTokens: consumption.outputTokens + spent.outputTokens,
    cachedInputTokens: consumption.cachedInputTokens + spent.cachedInputTokens,
    reasoningTokens: consumption.reasoningTokens + spent.reasoningTokens,
    tokensEstimated: consumption.tokensEstimated || spent.tokensEstimated,
    callsWithoutUsage: consumption.callsWithoutUsage + spent.callsWithoutUsage,
    costUsd:
      consumption.costUsd === null || spent.costUsd === null ? null : consumption.costUsd + spent.costUsd,
    activeMs: consumption.activeMs,
  }
}

const refusals: readonly FailureKind[] = ['rate-limited', 'usage-limited', 'server-error', 'network']

/** Refunds a refused call, and its turn if no other call of it was answered. */
export function refundCall(
  { consumption, turnCallsSent }: RunState,
  { kind }: AgentFailure,
): Pick<RunState, 'consumption' | 'turnCallsSent'> {
  if (turnCallsSent === 0 || !refusals.includes(kind)) return { consumption, turnCallsSent }
  return {
    turnCallsSent: turnCallsSent - 1,
    consumption: {
      ...consumption,
      modelCalls: consumption.modelCalls - 1,
      iterations: consumption.iterations - (turnCallsSent === 1 ? 1 : 0),
    },
  }
}

export function totalTokens(consumption: Pick<Consumption, 'inputTokens' | 'outputTokens'>): number {
  return consumption.inputTokens + consumption.outputTokens
}

/** A reused verdict costs nothing. */
export function costOfCheck(event: RunEvent): number {
  if (event.type !== 'verdict-given' && event.type !== 'reply-judged') return 0
  const { costUsd = 0, qualifiers } = event.verdict
  return qualifiers.includes('cached') ? 0 : costUsd
}

export function subRunStarted(
  state: RunState,
  { childRunId, allocated, subGoalId, elsewhere }: FactOf<'sub-run-started'>,
): RunState {
  const { subRuns } = state
  const others = subRuns.open.filter((child) => child.childRunId !== childRunId)
  const open = [...others, { childRunId, allocated, subGoalId, isElsewhere: elsewhere === true }]
  return { ...state, subRuns: { ...subRuns, open, started: subRuns.started + 1 } }
}

/** Refunds the unspent budget, unless the spending is unknown. */
export function subRunEnded(state: RunState, { childRunId, spent }: FactOf<'sub-run-ended'>): RunState {
  const { subRuns } = state
  const ended = subRuns.open.find((child) => child.childRunId === childRunId)
  if (ended === undefined) return state
  const open = subRuns.open.filter((child) => child !== ended)
  if (spent === null)
    return {
      ...state,
      subRuns: { ...subRuns, open, lost: sumOfBudgets(subRuns.lost, budgetOf(ended.allocated)) },
    }
  return { ...state, consumption: spendSubRun(state, spent), subRuns: { ...subRuns, open } }
}

/** Findings about the old limit may be reported again for the new one. */
export function budgetAdded(state: RunState, { added }: FactOf<'budget-added'>): RunState {
  const raised = keysRaised(added)
  return {
    ...state,
    settings: { ...state.settings, caps: raiseCaps(state.settings.caps, added) },
    noted: state.noted.filter((key) => !raised.includes(key)),
  }
}

function keysRaised(added: Partial<Budget>): readonly string[] {
  const capped = amounts.filter((name) => added[name] !== undefined)
  const rules = capped.map((name) => capRule(capTable[name].cap))
  return [
    ...rules.flatMap((rule) => [`${rule}:warn`, `${rule}:stop`]),
    ...Object.keys(added.callsPerTool ?? {}).flatMap((tool) => [
      `${toolCapRule}:note:${tool}`,
      `${toolCapRule}:warn:${tool}`,
    ]),
  ]
}

export function capRule(cap: string): string {
  return `cap:${cap}`
}

/** The key of such a finding is the tool's name. */
export const toolCapRule = 'cap:calls_per_tool'
