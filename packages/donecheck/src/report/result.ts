import { exitCodeOf, heldOutGapOf, type HeldOutGap } from '../core/index.ts'
import { totalTokens, type RunState, type Verdict } from '../events/index.ts'

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
  readonly turns: number
  readonly finalText: string
  /** The latest verdict of every check, with its evidence. */
  readonly verdicts: readonly Verdict[]
  /** How many of the shown and of the held-out checks passed. Null: nothing was held out. */
  readonly heldOut: HeldOutGap | null
  readonly usage: {
    readonly modelCalls: number
    readonly toolCalls: number
    readonly inputTokens: number
    readonly outputTokens: number
    readonly totalTokens: number
    readonly estimated: boolean
    readonly callsWithoutUsage: number
  }
  readonly costUsd: number | null
  readonly durationMs: number
}

/** For a state that has not stopped it says so: a run whose process was killed at once is still there to be resumed. */
export function resultLine(state: RunState): ResultLine {
  const { consumption } = state
  return {
    type: 'result',
    runId: state.runId,
    ...ending(state),
    turns: consumption.iterations,
    finalText: state.lastText,
    verdicts: Object.values(state.checks).flatMap(({ latest }) => latest ?? []),
    heldOut: heldOutGapOf(state),
    usage: {
      modelCalls: consumption.modelCalls,
      toolCalls: consumption.toolCalls,
      inputTokens: consumption.inputTokens,
      outputTokens: consumption.outputTokens,
      totalTokens: totalTokens(consumption),
      estimated: consumption.tokensEstimated,
      callsWithoutUsage: consumption.callsWithoutUsage,
    },
    costUsd: consumption.costUsd,
    durationMs: consumption.activeMs,
  }
}

function ending(
  state: RunState,
): Pick<ResultLine, 'reason' | 'outcome' | 'exitCode' | 'message' | 'cap' | 'atCap' | 'detector'> {
  if (state.phase.kind !== 'stopped') {
    const message = 'ended at once by its user before it could stop by itself; it can be resumed'
    return { reason: 'user_interrupt', outcome: 'interrupted', exitCode: exitCodeOf.interrupted, message }
  }
  const { reason, outcome, message, cap, atCap, detector } = state.phase.transition
  return {
    reason,
    outcome,
    exitCode: exitCodeOf[outcome],
    message,
    ...(cap === undefined ? {} : { cap }),
    ...(atCap === undefined ? {} : { atCap }),
    ...(detector === undefined ? {} : { detector }),
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
    turns: 0,
    finalText: '',
    verdicts: [],
    heldOut: null,
    usage: {
      modelCalls: 0,
      toolCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
      estimated: false,
      callsWithoutUsage: 0,
    },
    costUsd: null,
    durationMs: 0,
  }
}

/** A run that its user ended before it had begun. */
export function interruptedResult(): ResultLine {
  const message = 'interrupted before the run began'
  return {
    ...errorResult(exitCodeOf.interrupted, message, null),
    reason: 'user_interrupt',
    outcome: 'interrupted',
  }
}
