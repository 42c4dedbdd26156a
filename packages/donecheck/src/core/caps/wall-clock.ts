import type { EpochMs, RunState } from '../../events/index.ts'
import type { Rule } from '../rule.ts'
import { retryDelayMs } from '../retry-delay.ts'
import { capFinding, nextNeed } from './cap.ts'

/** Active time: sleep between a stop and its resume does not count. */
export const wallClockCap: Rule = (state) => {
  const limit = state.settings.caps.maxWallClockMs
  const used = state.consumption.activeMs
  const isReached = limit !== null && nextNeed(state) !== 'nothing' && used + waitMs(state) >= limit
  const text = `${(used / 1000).toFixed(1)} of ${(limit ?? 0) / 1000} s`
  return capFinding(state, { cap: 'wall_clock', limit, used, isReached, text })
}

/** A back-off that ends after the time is over is not begun: the call behind it could not be made. */
function waitMs({ phase }: RunState): number {
  return phase.kind === 'retrying' ? retryDelayMs(phase.attempt, phase.failure) : 0
}

/** When an effect that starts now must be aborted; null without this cap. */
export function deadlineOf(state: RunState): EpochMs | null {
  const limit = state.settings.caps.maxWallClockMs
  return limit === null ? null : state.nowMs + Math.max(0, limit - state.consumption.activeMs)
}
