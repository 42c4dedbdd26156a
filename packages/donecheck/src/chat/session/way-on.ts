import type { RunState } from '@donecheck/core/state'
import { resumableOutcomes } from '@donecheck/core/stops'

/** `resume` continues the conversation; `needs-budget` can do so after a top-up. */
type WayOn = 'resume' | 'new' | 'needs-budget'

export function wayOn(run: RunState | undefined, hasTopUp: boolean): WayOn {
  if (run === undefined || run.goal.isCleared) return 'new'
  if (run.phase.kind !== 'stopped') return 'resume'
  const { outcome, reason, cap } = run.phase.transition
  if (resumableOutcomes.includes(outcome) || reason === 'model_ended') return 'resume'
  if (reason !== 'hard_cap' || cap === 'blocked_stops') return 'new'
  return hasTopUp ? 'resume' : 'needs-budget'
}
