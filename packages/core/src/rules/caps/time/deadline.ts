/** How long the next effect may take under the two caps on time, with time kept for the last check. */
import type { EpochMs } from '../../../events/index.ts'
import type { RunState } from '../../../state/index.ts'
import { spendingOf } from '../amounts.ts'
import { lastCheckMs } from '../next-step.ts'
import { capsInForce } from '../part-budget.ts'

/** When an effect that starts now must be aborted; null without a cap on the wall clock. */
export function deadlineOf(state: RunState): EpochMs | null {
  const limit = capsInForce(state).maxWallClockMs
  if (limit === null) return null
  return state.nowMs + Math.max(0, limit - spendingOf(state, 'wallClockMs') - lastCheckMs(state))
}

/** When work that starts now must be aborted; null without a cap on working time. Waiting before it does not count. */
export function workDeadlineOf(state: RunState): EpochMs | null {
  const limit = state.settings.caps.maxWorkingMs
  if (limit === null) return null
  return state.nowMs + Math.max(0, limit - spendingOf(state, 'workingMs') - lastCheckMs(state))
}

/** Such as ` (5.0 s are kept for the last check)`. */
export function lastCheckWords(state: RunState): string {
  const keptMs = lastCheckMs(state)
  return keptMs === 0 ? '' : ` (${(keptMs / 1000).toFixed(1)} s are kept for the last check)`
}
