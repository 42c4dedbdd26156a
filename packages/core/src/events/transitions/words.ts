/** Closed lists, separate from the schemas so that importing them loads no parser. */

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

/** The last check at a cap (I10). */
export const lastChecks = ['run', 'switched-off', 'nothing-to-check'] as const
export type LastCheck = (typeof lastChecks)[number]

/** `withheld-answer`: the last answer, unconfirmed by the checks. `program`: built from the record. */
export const summarySources = ['agent', 'withheld-answer', 'program'] as const
export type SummarySource = (typeof summarySources)[number]
