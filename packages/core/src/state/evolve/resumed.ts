import type { EpochMs } from '../../events/index.ts'
import { retryAfterResume } from '../retrying.ts'
import type { LivePhase, Phase, RunState } from '../state.ts'

export function awake(phase: Phase): LivePhase {
  return phase.kind === 'stopped' ? phase.before : phase
}

/** The world may have changed while the run slept: no verdict from before speaks for it. */
export function resumeState(state: RunState, drive: RunState['drive'], nowMs: EpochMs): RunState {
  const { phase } = state
  const isBeforeWork =
    phase.kind === 'stopped' && phase.before.kind === 'starting' && phase.transition.reason === 'blocked'
  return {
    ...state,
    drive,
    interruptedBy: undefined,
    phase: isBeforeWork ? { kind: 'starting', baselineDone: false } : lookAgain(awake(phase), nowMs),
    unverifiedWork: state.turn > 0,
    lastChecksAsked: false,
    // What kept the run from its first turn may have been brought by its user, whose tree is the baseline then.
    workspace: isBeforeWork
      ? { baseline: undefined, current: undefined, verified: undefined, touched: false }
      : { ...state.workspace, verified: undefined },
  }
}

function lookAgain(phase: LivePhase, nowMs: EpochMs): LivePhase {
  if (phase.kind === 'retrying') return retryAfterResume(phase, nowMs)
  if (phase.kind === 'verifying' && phase.trigger === 'baseline')
    return { kind: 'starting', baselineDone: false }
  if (phase.kind !== 'judging' && phase.kind !== 'verifying') return phase
  return { kind: 'judging', observed: false, verifiedBy: undefined }
}
