/** Why a run ended, what is missing, what it cost, and what can be typed next: what one screen, or a program, tells of it. */
import { exitCodeOfStop } from '@donecheck/core/stops'
import { openSubGoals } from '@donecheck/core/goal'
import { hasPassed, type RunState } from '@donecheck/core/state'
import type { StopTransition } from '@donecheck/core/transitions'
import { openChecks, passedChecks, type OpenCheck } from './open-checks.ts'
import { nextSteps, type RunContext, type NextStep, type RunKind } from './next-steps.ts'
import { spendingOfRun, type Spending } from './spending.ts'
import { isVerification } from '../lines/header-lines.ts'

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
    turns: consumption.iterations,
    missing,
    openParts: openSubGoals(state.goal, hasPassed(state)).map(({ title }) => title),
    passed: passedChecks(state),
    spent: spendingOfRun(state),
    next: nextSteps({ ...context, state, kind, end, missing }),
  }
}

function kindOf(state: RunState, { isSession = false }: RunContext): RunKind {
  if (isSession) return 'session'
  return isVerification(state) ? 'verification' : 'run'
}

function endOf(end: StopTransition): Explanation['end'] {
  const { outcome, reason, message, cap, detector } = end
  return {
    ...{ outcome, reason, message, exitCode: exitCodeOfStop(end) },
    ...(cap === undefined ? {} : { cap }),
    ...(detector === undefined ? {} : { detector }),
  }
}
