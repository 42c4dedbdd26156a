/** Which reason a run stops for, and what follows of it: outcome, exit code, words. */
import type {
  Outcome,
  StopReason,
  StopTransition,
  ContinueReason,
  ContinueTransition,
  LastCheck,
  VerdictLine,
} from '../../events/transitions/index.ts'
import type { CapName } from '../../budgets/index.ts'
import { latestVerdicts, type RunState } from '../../state/index.ts'

/** A reason, told apart where the order does: tampering from other failures, counts from the clock. */
export type StopRank = Exclude<StopReason, 'hard_cap'> | 'tampered' | 'hard_cap_count' | 'hard_cap_wall_clock'

/** First wins; an interrupt has ended the decision before anything is ranked. The type below makes the compiler complain when a rank is missing. */
export const stopOrder = [
  'user_interrupt',
  'error',
  'tampered',
  'task_complete',
  'verifier_failed_unrecoverable',
  'permission_denied',
  'blocked',
  'awaiting_approval',
  'hard_cap_count',
  'loop_detected',
  'stagnated',
  'diminishing',
  'hard_cap_wall_clock',
  'model_ended',
] as const satisfies readonly StopRank[]

type Missing = Exclude<StopRank, (typeof stopOrder)[number]>
export const isStopOrderComplete: [Missing] extends [never] ? true : Missing = true

/** An end that applies, with what is to be said about it. */
export interface StopCandidate {
  readonly reason: StopReason
  readonly message: string
  readonly cap?: CapName
  readonly detector?: string
  readonly tampered?: boolean
  readonly misuse?: true
}

/** The candidate that ranks first; of equals the first given. */
export function firstStop(candidates: readonly StopCandidate[]): StopCandidate | undefined {
  return candidates.toSorted((one, other) => rankOf(one) - rankOf(other))[0]
}

function rankOf(candidate: StopCandidate): number {
  return stopOrder.indexOf(rankName(candidate))
}

function rankName({ reason, cap, tampered }: StopCandidate): StopRank {
  if (reason === 'hard_cap') return cap === 'wall_clock' ? 'hard_cap_wall_clock' : 'hard_cap_count'
  return tampered === true ? 'tampered' : reason
}

/** Every reason has one outcome. */
export const outcomeOf: Readonly<Record<StopReason, Outcome>> = {
  task_complete: 'verified',
  verifier_failed_unrecoverable: 'failed',
  hard_cap: 'exhausted',
  diminishing: 'exhausted',
  loop_detected: 'exhausted',
  stagnated: 'exhausted',
  model_ended: 'unverified',
  blocked: 'blocked',
  awaiting_approval: 'blocked',
  permission_denied: 'blocked',
  user_interrupt: 'interrupted',
  error: 'error',
}

/** Every outcome has one exit code. 2 is kept for wrong usage and configuration, also where the checks find it out. */
export const exitCodeOf: Readonly<Record<Outcome, number>> = {
  verified: 0,
  failed: 1,
  exhausted: 3,
  unverified: 4,
  blocked: 5,
  error: 70,
  interrupted: 130,
}

const misuseExitCode = 2

/** Of a run that has ended. */
export function exitCodeOfStop({ outcome, misuse }: Pick<StopTransition, 'outcome' | 'misuse'>): number {
  return misuse === true ? misuseExitCode : exitCodeOf[outcome]
}

/** A run that ended in one of these may go on; the others are finished. */
export const resumableOutcomes: readonly Outcome[] = ['interrupted', 'blocked', 'error']

/** These ends put a turn to sleep in the middle; it gets its transition after the resume. */
export const turnStaysOpen: readonly StopReason[] = ['user_interrupt', 'awaiting_approval']

export function stopTransition(
  state: RunState,
  candidate: StopCandidate,
  last: { readonly atCap?: CapName; readonly lastCheck?: LastCheck; readonly findings?: readonly string[] },
): StopTransition {
  const { reason, message, cap, detector, misuse } = candidate
  return {
    kind: 'stop',
    reason,
    outcome: outcomeOf[reason],
    message,
    ...(cap === undefined ? {} : { cap }),
    ...(last.atCap === undefined ? {} : { atCap: last.atCap }),
    ...(detector === undefined ? {} : { detector }),
    ...(misuse === undefined ? {} : { misuse }),
    ...(last.lastCheck === undefined ? {} : { lastCheck: last.lastCheck }),
    findings: last.findings ?? [],
    verdicts: verdictLines(state),
  }
}

export function continueTransition(
  state: RunState,
  reason: ContinueReason,
  findings: readonly string[],
): ContinueTransition {
  return { kind: 'continue', reason, findings, verdicts: verdictLines(state) }
}

function verdictLines(state: RunState): readonly VerdictLine[] {
  return latestVerdicts(state).map(({ verifier, verdict }) => ({
    verifier: verifier.name,
    status: verdict.status,
  }))
}
