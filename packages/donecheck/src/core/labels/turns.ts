import type { ContinueReason } from '../../events/index.ts'

/** Why a run went on after a turn, in one sentence. The compiler asks for a new one. */
export const turnMeanings: Readonly<Record<ContinueReason, string>> = {
  tool_calls: 'The drive works: it asked for tools, and their results go back to it.',
  verifier_feedback: 'The work is not proven: what is open was told to the drive.',
  nudge_budget_left: 'The drive stopped by itself with budget left, and was asked to go on.',
  max_output_recovery: 'The reply was cut off at its length, and the drive was asked to go on from there.',
  approval_given: 'A person allowed what the run was waiting for.',
  goal_changed: 'The goal was changed while the run went on.',
  steering: 'A message of the user reached the drive between two turns.',
}
