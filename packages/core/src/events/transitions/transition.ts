/** How a turn ended, and how a run ended: closed unions (invariant I5). */
import type { CapName } from '../../budgets/index.ts'
import type { VerdictStatus } from '../verdicts/index.ts'

export const stopReasons = [
  'task_complete',
  'verifier_failed_unrecoverable',
  'hard_cap',
  'diminishing',
  'loop_detected',
  'stagnated',
  'model_ended',
  'blocked',
  'awaiting_approval',
  'permission_denied',
  'user_interrupt',
  'error',
] as const
export type StopReason = (typeof stopReasons)[number]

export const outcomes = [
  'verified',
  'failed',
  'exhausted',
  'unverified',
  'blocked',
  'interrupted',
  'error',
] as const
export type Outcome = (typeof outcomes)[number]

/** The end that a rule asks for. A rule cannot ask for success. */
export type StopCause =
  | { readonly reason: 'hard_cap'; readonly cap: CapName }
  | { readonly reason: 'loop_detected'; readonly detector: string }
  | { readonly reason: 'stagnated' | 'diminishing' | 'permission_denied' | 'blocked' }

/** Why a run goes on after a turn. */
export const continueReasons = [
  'tool_calls',
  'verifier_feedback',
  'reply_feedback',
  'nudge_budget_left',
  'max_output_recovery',
  'approval_given',
  'goal_changed',
  'steering',
] as const
export type ContinueReason = (typeof continueReasons)[number]

/** The last check at a cap (I10): run, or switched off by the user. */
export const lastChecks = ['run', 'switched-off', 'nothing-to-check'] as const
export type LastCheck = (typeof lastChecks)[number]

/**
 * `drive`: asked for it after the end was decided. `withheld-answer`: its last answer, which the checks did not confirm.
 * `program`: made of what the record says.
 */
export const summarySources = ['drive', 'withheld-answer', 'program'] as const
export type SummarySource = (typeof summarySources)[number]

export interface ContinueTransition {
  readonly kind: 'continue'
  readonly reason: ContinueReason
  /** Rules that had something to say on this turn. */
  readonly findings: readonly string[]
  readonly verdicts: readonly VerdictLine[]
}

export interface StopTransition {
  readonly kind: 'stop'
  readonly reason: StopReason
  readonly outcome: Outcome
  /** One sentence for a person. */
  readonly message: string
  /** Which cap, when the reason is `hard_cap`. */
  readonly cap?: CapName
  /** Which cap was reached, when the last check at that cap passed and the run is `task_complete`. */
  readonly atCap?: CapName
  /** Which rule, when a detector ended the run. */
  readonly detector?: string
  /** Blocked by how a check was asked for, not by something that is missing: exit code 2. */
  readonly misuse?: true
  readonly lastCheck?: LastCheck
  /** What is done, what is left and how to go on, where the run was ended early. */
  readonly summary?: string
  readonly summaryBy?: SummarySource
  readonly findings: readonly string[]
  readonly verdicts: readonly VerdictLine[]
}

/** A verdict in one line; the whole of it is in the `verdict-given` event. */
export interface VerdictLine {
  readonly verifier: string
  readonly status: VerdictStatus
}

export type Transition = ContinueTransition | StopTransition
