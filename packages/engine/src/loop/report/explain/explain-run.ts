/** Why a run ended, what is missing, what it cost, and what can be typed next: what one screen, or a program, tells of it. */
import { amounts, capTable, type CapName } from '@donecheck/core/budgets'
import { spendingOf } from '@donecheck/core/caps'
import { openSubGoals } from '@donecheck/core/goal'
import { hasPassed, totalTokens, type RunState } from '@donecheck/core/state'
import { exitCodeOfStop } from '@donecheck/core/stops'
import type { StopTransition } from '@donecheck/core/transitions'
import { openChecks, passedChecks, type OpenCheck } from './open-checks.ts'
import { nextSteps, type RunContext, type NextStep, type RunKind } from './next-steps.ts'
import { given } from '../../../base/index.ts'
import { waitBefore } from '@donecheck/core/decide'
import { waitText } from '../lines/wait-lines.ts'
import { amountOfLimit } from '../lines/budget-lines.ts'
import { isVerification } from '../lines/header-lines.ts'

/** What it has cost, and how much of its caps that is. */
interface Spending {
  /** Active time. */
  readonly durationMs: number
  /** Null: nobody knows. */
  readonly tokens: number | null
  readonly isEstimated: boolean
  /** Null: no price is known. */
  readonly costUsd: number | null
  /** Of checks such as judges; not part of `costUsd`. */
  readonly checksCostUsd: number
  readonly caps: readonly CapUse[]
}

/** In turns, calls, tokens, dollars or milliseconds, by what the cap bounds. */
interface CapUse {
  readonly cap: CapName
  readonly used: number
  readonly limit: number
  /** Such as `5 of 8 turns`. */
  readonly words: string
}

export interface Explanation {
  readonly runId: string
  readonly kind: RunKind
  readonly task: string
  /** Who drives, for people. */
  readonly by: string
  /** Null: it has not ended. */
  readonly end:
    | (Pick<StopTransition, 'outcome' | 'reason' | 'message' | 'cap' | 'detector'> & {
        readonly exitCode: number
      })
    | null
  /** Such as `waiting for the usage limit to reset, until 14:05:20`. Absent: it does not wait for its provider. */
  readonly waiting?: string
  readonly turns: number
  /** Required checks that have not passed; of a verified run none. */
  readonly missing: readonly OpenCheck[]
  /** Titles of the open parts of the goal. */
  readonly openParts: readonly string[]
  /** Names of the checks that passed. */
  readonly passed: readonly string[]
  readonly spent: Spending
  /** The most useful first. */
  readonly next: readonly NextStep[]
}

export function explainRun(state: RunState, context: RunContext = {}): Explanation {
  const { runId, task, drive, phase, consumption } = state
  const kind = kindOf(state, context)
  const end = phase.kind === 'stopped' ? phase.transition : undefined
  const missing = end?.outcome === 'verified' ? [] : openChecks(state)
  return {
    runId,
    kind,
    task,
    by: drive.name,
    end: end === undefined ? null : endOf(end),
    ...given({ waiting: waitingOf(state) }),
    turns: consumption.iterations,
    missing,
    openParts: openSubGoals(state.goal, hasPassed(state)).map(({ title }) => title),
    passed: passedChecks(state),
    spent: spendingOfRun(state),
    next: nextSteps({ ...context, state, kind, end, missing }),
  }
}

function waitingOf({ phase }: RunState): string | undefined {
  const wait = phase.kind === 'retrying' && phase.wait === 'started' ? waitBefore(phase) : undefined
  return wait && `${waitText(wait)} (${wait.reason})`
}

function kindOf(state: RunState, { isSession = false }: RunContext): RunKind {
  if (isSession) return 'session'
  return isVerification(state) ? 'verification' : 'run'
}

function endOf(end: StopTransition): Explanation['end'] {
  const { outcome, reason, message, cap, detector } = end
  return {
    ...{ outcome, reason, message, exitCode: exitCodeOfStop(end) },
    ...given({ cap, detector }),
  }
}

function spendingOfRun(state: RunState): Spending {
  const { consumption, drive, checksCostUsd, settings } = state
  const caps = amounts.flatMap((amount): readonly CapUse[] => {
    const { cap, field, kind } = capTable[amount]
    const limit = settings.caps[field]
    // What nobody counts is not kept either.
    if (limit === null || (kind === 'tokens' && !drive.reportsUsage)) return []
    const used = spendingOf(state, amount)
    return [{ cap, used, limit, words: amountOfLimit(amount, used, limit) }]
  })
  return {
    durationMs: consumption.activeMs,
    tokens: drive.reportsUsage ? totalTokens(consumption) : null,
    isEstimated: consumption.tokensEstimated,
    costUsd: consumption.costUsd,
    checksCostUsd,
    caps,
  }
}
