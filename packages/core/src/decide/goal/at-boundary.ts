/** What the status of a goal asks for before anything else is begun: between two effects, never in the middle of one. */
import { isMidTurn, type RunState } from '../../state/index.ts'
import { partOverBudget } from '../../rules/caps/index.ts'
import type { Decision } from '../decision.ts'
import { stopTransition } from '../stops/index.ts'

/** A change of the goal may be taken in now, and the drive be told. */
export function isAtBoundary(state: RunState): boolean {
  const { kind } = state.phase
  return (kind === 'idle' || kind === 'judging' || kind === 'starting') && !isMidTurn(state)
}

/** Nobody works at a part whose budget has no room for it. */
function overBudgetDecision(state: RunState): Decision | undefined {
  const { phase } = state
  const isCallNext =
    phase.kind === 'idle' || phase.kind === 'retrying' || (phase.kind === 'starting' && phase.baselineDone)
  const over = isCallNext && state.goal.status === 'active' ? partOverBudget(state) : undefined
  if (over === undefined) return undefined
  return { kind: 'change-goal', change: { kind: 'sub-goal-over-budget', ...over } }
}

export function goalDecision(state: RunState): Decision | undefined {
  const { goal } = state
  const over = overBudgetDecision(state)
  if (over !== undefined) return over
  if (!isAtBoundary(state)) return undefined
  // A turn that is over is judged first.
  if (goal.waiting !== undefined && state.phase.kind !== 'judging') return { kind: 'await', ...goal.waiting }
  if (goal.status !== 'paused' && !goal.isCleared) return undefined
  const message = goal.isCleared ? 'the goal was cleared: set another one, then resume the run' : goal.reason
  return { kind: 'stop', transition: stopTransition(state, { reason: 'user_interrupt', message }, {}) }
}
