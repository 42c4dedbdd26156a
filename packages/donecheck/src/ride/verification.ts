/** What donecheck says of the work of a host's loop, beside what the host says of it. */
import { resultOf, type RunResult } from '../agent-run.ts'
import type { StopTransition, Verdict } from '../events/index.ts'
import type { Ride } from './ride.ts'

export interface Verification {
  readonly runId: string
  /** A hard check has proved it. What the host itself gives as its end says nothing of that. */
  readonly isVerified: boolean
  /** How it ended, and why. Undefined: it waits for a person or for tools that the host runs, and can be gone on with. */
  readonly transition: StopTransition | undefined
  /** The latest verdict of every check. */
  readonly verdicts: readonly Verdict[]
  /** Undefined while it has not ended. */
  readonly result: RunResult | undefined
  /** Times that the agent was sent back. */
  readonly sendBacks: number
  /** The tools whose calls it waits for. */
  readonly waitingFor: readonly string[]
  /** The bound of the host's own that ended it, by its name or in the host's words, such as `maxSteps (5)`. */
  readonly stoppedBy: string | undefined
  /** For people. */
  readonly notices: readonly string[]
}

/** What a ride does not know and its host does. */
export interface VerificationCircumstances extends Pick<Verification, 'sendBacks' | 'notices'> {
  readonly waitingFor?: readonly string[]
  readonly stoppedBy?: string | undefined
}

export function verificationOf(ride: Ride, given: VerificationCircumstances): Verification {
  const { state, end } = ride
  return {
    runId: state?.runId ?? '',
    isVerified: end?.outcome === 'verified',
    transition: end,
    verdicts: latestVerdicts(ride),
    result: state?.phase.kind === 'stopped' ? resultOf(state) : undefined,
    sendBacks: given.sendBacks,
    waitingFor: given.waitingFor ?? [],
    stoppedBy: given.stoppedBy,
    notices: given.notices,
  }
}

/** Of every check that was asked, in the latest run of the session. */
export function latestVerdicts({ state }: Ride): readonly Verdict[] {
  return state === undefined ? [] : Object.values(state.checks).flatMap(({ latest }) => latest ?? [])
}
