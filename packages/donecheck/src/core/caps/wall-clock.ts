import type { RunState } from '../../events/index.ts'
import type { Rule } from '../rule.ts'
import { retryDelayMs } from '../retry-delay.ts'
import { capFinding, nextNeed } from './cap.ts'
import { lastCheckMs, lastCheckWords } from './time.ts'
import { usedOf } from './used.ts'

/** Active time: sleep between a stop and its resume does not count. The time of the last check is kept free. */
export const wallClockCap: Rule = (state) => {
  const limit = state.settings.caps.maxWallClockMs
  const used = usedOf(state, 'wallClockMs')
  const next = used + waitMs(state) + lastCheckMs(state)
  const isReached = limit !== null && nextNeed(state) !== 'nothing' && next >= limit
  const kept = isReached ? lastCheckWords(state) : ''
  const text = `${(used / 1000).toFixed(1)} of ${(limit ?? 0) / 1000} s${kept}`
  return capFinding(state, { cap: 'wall_clock', limit, used, isReached, text })
}

/** A back-off that ends after the time is over is not begun: the call behind it could not be made. */
function waitMs({ phase }: RunState): number {
  return phase.kind === 'retrying' ? retryDelayMs(phase.attempt, phase.failure) : 0
}
