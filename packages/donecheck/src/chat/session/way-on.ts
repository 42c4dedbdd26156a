/** What the next words of the person begin. */
import type { RunState } from '@donecheck/core/state'
import { resumableOutcomes } from '@donecheck/core/stops'

/**
 * `resume`: the run goes on with them, in the same conversation; `new`: it is over, and another one begins; `needs-budget`: it
 * goes on once there is more.
 */
type WayOn = 'resume' | 'new' | 'needs-budget'

export function wayOn(run: RunState | undefined, hasTopUp: boolean): WayOn {
  if (run === undefined || run.goal.isCleared) return 'new'
  if (run.phase.kind !== 'stopped') return 'resume'
  const { outcome, reason, cap } = run.phase.transition
  if (resumableOutcomes.includes(outcome) || reason === 'model_ended') return 'resume'
  if (reason !== 'hard_cap' || cap === 'blocked_stops') return 'new'
  return hasTopUp ? 'resume' : 'needs-budget'
}
