import type { Consumption } from '@donecheck/core/budgets'
import { exitCodeOf, exitCodeOfStop } from '@donecheck/core/stops'
import { heldOutGapOf, type HeldOutGap } from '@donecheck/core/policies'
import { noConsumption, totalTokens, type RunState } from '@donecheck/core/state'
import type { SummarySource } from '@donecheck/core/transitions'
import type { Verdict } from '@donecheck/core/verdicts'
import { given } from '../../base/index.ts'
import { replyResult, type ReplyResult } from './lines/line.ts'

/** The last line of `--output-format json` and `stream-json`; the same fields on every way out. */
export interface ResultLine {
  readonly type: 'result'
  readonly runId: string | null
  readonly reason: string
  readonly outcome: string
  readonly exitCode: number
  readonly message: string
  readonly cap?: string
  readonly atCap?: string
  readonly detector?: string
  readonly findings: readonly string[]
  readonly summary?: string
  readonly summaryBy?: SummarySource
  readonly turns: number
  readonly finalText: string
  readonly heartbeat?: string
  /** What became of the reply; null where replies are not verified. */
  readonly reply: ReplyResult | null
  readonly verdicts: readonly Verdict[]
  /** How many of the shown and of the held-out checks passed. Null: nothing was held out. */
  readonly heldOut: HeldOutGap | null
  readonly usage: {
    readonly modelCalls: number
    readonly toolCalls: number
    readonly inputTokens: number
    readonly outputTokens: number
    readonly cachedInputTokens: number
    readonly reasoningTokens: number
    readonly totalTokens: number
    readonly estimated: boolean
    readonly callsWithoutUsage: number
    readonly subRuns: number
  }
  readonly costUsd: number | null
  readonly checksCostUsd: number
  readonly durationMs: number
  readonly workingMs: number
}

const interrupted = {
  reason: 'user_interrupt',
  outcome: 'interrupted',
  exitCode: exitCodeOf.interrupted,
} as const

/** For a state that has not stopped it says so: a run whose process was killed at once is still there to be resumed. */
export function resultLine(state: RunState): ResultLine {
  const { consumption } = state
  return {
    type: 'result',
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
    workingMs: consumption.workingMs,
  }
}

function usageOf(consumption: Consumption, subRuns: number): ResultLine['usage'] {
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
    workingMs: 0,
  }
}

export function interruptedResult(): ResultLine {
  const message = 'interrupted before the run began'
  return { ...errorResult(exitCodeOf.interrupted, message, null), ...interrupted }
}
