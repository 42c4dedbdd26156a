import { runsLast } from '../policies/index.ts'
import type { RunState } from '../../state/index.ts'
import type { VerificationTrigger } from '../../events/index.ts'

/**
 * Whether the checks are run at the end of this turn, and what for. A pending verdict is always asked for again. A cap is
 * not asked here: see `conclude`.
 */
export function verificationTrigger(
  state: RunState,
): Extract<VerificationTrigger, 'turn' | 'claim' | 'change'> | undefined {
  if (state.settings.verifiers.every(({ role }) => runsLast(role))) return undefined
  const { claimed } = state.tally
  if (state.goal.unaskedChecks.length > 0) return 'turn'
  if (Object.values(state.checks).some(({ latest }) => latest?.status === 'pending')) return 'turn'
  switch (state.settings.verifyWhen) {
    case 'every-turn':
      return 'turn'
    case 'on-claim':
      return claimed ? 'claim' : undefined
    case 'on-change':
      return hasChangedSinceVerification(state) ? 'change' : undefined
    case 'on-change-or-claim':
      if (claimed) return 'claim'
      return hasChangedSinceVerification(state) ? 'change' : undefined
  }
}

function hasChangedSinceVerification(state: RunState): boolean {
  const { baseline, current, verified } = state.workspace
  if (current === undefined) return state.tally.mayHaveChanged
  return current !== (verified ?? baseline)
}
