/** How a turn ended, and how a run ended: closed unions (design, section 4.3; invariant I5). */

export type StopReason =
  | 'task_complete'
  | 'verifier_failed_unrecoverable'
  | 'hard_cap'
  | 'diminishing'
  | 'loop_detected'
  | 'stagnated'
  | 'model_ended'
  | 'blocked'
  | 'awaiting_approval'
  | 'permission_denied'
  | 'user_interrupt'
  | 'error'

export type Outcome = 'verified' | 'failed' | 'exhausted' | 'unverified' | 'blocked' | 'interrupted' | 'error'

export type CapName =
  | 'iterations'
  | 'model_calls'
  | 'tool_calls'
  | 'tokens'
  | 'uncached_input_tokens'
  | 'cached_input_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'cost'
  | 'wall_clock'
  | 'working_time'
  | 'send_backs'

/** The end that a rule asks for. A rule cannot ask for success. */
export type StopCause =
  | { readonly reason: 'hard_cap'; readonly cap: CapName }
  | { readonly reason: 'loop_detected'; readonly detector: string }
  | { readonly reason: 'stagnated' | 'diminishing' | 'permission_denied' | 'blocked' }

/** Why a run goes on after a turn. */
export type ContinueReason =
  | 'tool_calls'
  | 'verifier_feedback'
  | 'nudge_budget_left'
  | 'max_output_recovery'
  | 'approval_given'
  | 'goal_changed'
  | 'steering'

/** The last check at a cap (I10): run, or switched off by the user. */
export type LastCheck = 'run' | 'switched-off' | 'nothing-to-check'

/**
 * `drive`: asked for it after the end was decided. `withheld-answer`: its last answer, which the checks did not confirm.
 * `program`: made of what the record says.
 */
export type SummarySource = 'drive' | 'withheld-answer' | 'program'

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
  readonly status: 'passed' | 'failed' | 'error' | 'skipped' | 'pending'
}

export type Transition = ContinueTransition | StopTransition
