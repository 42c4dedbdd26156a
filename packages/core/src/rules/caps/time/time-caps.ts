/** The two caps on time. The time of the last check is kept free. */
import type { RunState, Rule } from '../../../state/index.ts'
import { retryDelayMs } from '../retry-delay.ts'
import { spendingOf } from '../amounts.ts'
import { capFinding, nextNeed } from '../cap.ts'
import { lastCheckMs } from '../next-step.ts'
import { lastCheckWords } from './deadline.ts'

/** Active time: sleep between a stop and its resume does not count. */
export const wallClockCap: Rule = (state) => {
  const limit = state.settings.caps.maxWallClockMs
  const used = spendingOf(state, 'wallClockMs')
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

/** Time in model calls, tools and checks; sleep, back-off and questions to people do not count. */
export const workingTimeCap: Rule = (state) => {
  const limit = state.settings.caps.maxWorkingMs
  const used = spendingOf(state, 'workingMs')
  const isReached = limit !== null && nextNeed(state) !== 'nothing' && used + lastCheckMs(state) >= limit
  const kept = isReached ? lastCheckWords(state) : ''
  const text = `${(used / 1000).toFixed(1)} of ${(limit ?? 0) / 1000} s of work${kept}`
  return capFinding(state, { cap: 'working_time', limit, used, isReached, text })
}
