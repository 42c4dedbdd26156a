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
  /** Rules that had a say in the end. */
  readonly findings: readonly string[]
  /** Of a run that ended early: what is done, what is left and how to go on, and who says so. */
  readonly summary?: string
  readonly summaryBy?: SummarySource
  readonly turns: number
  readonly finalText: string
  /** Of a heartbeat: what came of it. */
  readonly heartbeat?: string
  /** What became of the reply; null where replies are not verified. */
  readonly reply: ReplyResult | null
  /** The latest verdict of every check, with its evidence. */
  readonly verdicts: readonly Verdict[]
  /** How many of the shown and of the held-out checks passed. Null: nothing was held out. */
  readonly heldOut: HeldOutGap | null
  readonly usage: {
    readonly modelCalls: number
    readonly toolCalls: number
    readonly inputTokens: number
    readonly outputTokens: number
    /** Of the input, as far as the provider says. */
    readonly cachedInputTokens: number
    /** Of the output, as far as the provider says. */
    readonly reasoningTokens: number
    readonly totalTokens: number
    readonly estimated: boolean
    readonly callsWithoutUsage: number
    /** Model calls that never left and were given back. */
    /** Runs that did a part of this one; what they used is counted above. */
    readonly subRuns: number
  }
  readonly costUsd: number | null
  /** Of checks such as judges; not part of `costUsd`. */
  readonly checksCostUsd: number
  /** Active time. */
  readonly durationMs: number
  /** Of it in model calls, tools and checks. */
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

/** A run that could not even begin, or broke: the same shape, with nothing in it. */
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

/** A run that its user ended before it had begun. */
export function interruptedResult(): ResultLine {
  const message = 'interrupted before the run began'
  return { ...errorResult(exitCodeOf.interrupted, message, null), ...interrupted }
}
