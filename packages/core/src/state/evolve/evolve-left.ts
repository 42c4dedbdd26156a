import { keptReadings, progressOf, type LeftReading } from '../../goal/index.ts'
import type { RunEvent } from '../../events/index.ts'
import { appendBounded } from '../activity/index.ts'
import { hasPassed } from '../readings.ts'
import type { RunState } from '../state.ts'
import { failingTests } from './evolve-advances.ts'

/**
 * What is left of the goal, read once at the end of each verification.
 * @param before the state before the event
 * @param after the same after the event
 */
export function evolveLeft(before: RunState, after: RunState, event: RunEvent): readonly LeftReading[] {
  const { left, settings, checks, goal, turn } = after
  if (event.type === 'goal-set') return []
  if (event.type !== 'verdict-given' || before.phase.kind !== 'verifying' || after.phase.kind === 'verifying')
    return left
  const required = settings.verifiers.filter(({ required: decides, role }) => decides && role === 'check')
  const { leaves, closed } = progressOf(goal, hasPassed(after))
  const reading: LeftReading = {
    turn,
    failingTests: required.reduce((sum, { name }) => {
      const latest = checks[name]?.latest
      return sum + (latest === undefined ? 0 : failingTests(latest))
    }, 0),
    openParts: leaves - closed,
  }
  return appendBounded(left, reading, keptReadings)
}
