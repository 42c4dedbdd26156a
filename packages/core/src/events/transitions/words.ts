/** Closed lists of words about how turns and runs end. Apart from the shapes, so that whoever needs a word loads no parser. */

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
