import type { Consumption } from '@donecheck/core/internal/budgets'
import { exitCodeOf, exitCodeOfStop } from '@donecheck/core/internal/decide/stops'
import { heldOutGapOf } from '@donecheck/core/internal/decide/aggregate'
import { noConsumption, totalTokens, type RunState } from '@donecheck/core/internal/state'
import { given } from '../../base/index.ts'
import { replyResult } from './lines/line.ts'

/** Last line of `--json` and `stream-json`, with the same fields for every end. */
export type ResultLine = Omit<ReturnType<typeof resultLine>, 'runId'> & {
  /** Null if the run never started. */
  readonly runId: string | null
  /** Result of a heartbeat. */
  readonly heartbeat?: string
}

const interrupted = {
  reason: 'user_interrupt',
  outcome: 'interrupted',
  exitCode: exitCodeOf.interrupted,
} as const

/** Also works for an unfinished run, which can be resumed. */
export function resultLine(state: RunState) {
  const { consumption } = state
  return {
    type: 'result' as const,
    runId: state.runId,
    ...ending(state),
    turns: consumption.iterations,
    finalText: state.lastText,
    reply: replyResult(state),
    verdicts: Object.values(state.checks).flatMap(({ latest }) => latest ?? []),
    heldOut: heldOutGapOf(state),
    usage: usageOf(consumption, state.subRuns.started),
    costUsd: consumption.costUsd,
    checksCostUsd: state.checksCostUsd,
    durationMs: consumption.activeMs,
  }
}

function usageOf(consumption: Consumption, subRuns: number) {
  return {
    modelCalls: consumption.modelCalls,
    toolCalls: consumption.toolCalls,
    inputTokens: consumption.inputTokens,
    outputTokens: consumption.outputTokens,
    cachedInputTokens: consumption.cachedInputTokens,
    reasoningTokens: consumption.reasoningTokens,
    totalTokens: totalTokens(consumption),
    estimated: consumption.tokensEstimated,
    callsWithoutUsage: consumption.callsWithoutUsage,
    subRuns,
  }
}

function ending(state: RunState) {
  if (state.phase.kind !== 'stopped') {
    const message = 'ended at once by its user before it could stop by itself; it can be resumed'
    return { ...interrupted, message, findings: [] }
  }
  const { reason, outcome, message, cap, atCap, detector, findings, summary, summaryBy } =
    state.phase.transition
  return {
    reason,
    outcome,
    exitCode: exitCodeOfStop(state.phase.transition),
    message,
    ...given({ cap, atCap, detector }),
    findings,
    ...given({ summary, summaryBy }),
  }
}

export function errorResult(exitCode: number, message: string, runId: string | null): ResultLine {
  return {
    type: 'result',
    runId,
    reason: 'error',
    outcome: 'error',
    exitCode,
    message,
    findings: [],
    turns: 0,
    finalText: '',
    reply: null,
    verdicts: [],
    heldOut: null,
    usage: usageOf(noConsumption, 0),
    costUsd: null,
    checksCostUsd: 0,
    durationMs: 0,
  }
}

export function interruptedResult(): ResultLine {
  const message = 'interrupted before the run began'
  return { ...errorResult(exitCodeOf.interrupted, message, null), ...interrupted }
}
