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

/** Splits reasons whose rank differs: tampering from other failures, counts from the clock. */
export type StopRank = Exclude<StopReason, 'hard_cap'> | 'tampered' | 'hard_cap_count' | 'hard_cap_wall_clock'

/** First wins. Interrupts are handled before ranking. The type below makes a missing rank a compile error. */
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

export interface StopCandidate {
  readonly reason: StopReason
  readonly message: string
  readonly cap?: CapName
  readonly detector?: string
  readonly tampered?: boolean
  readonly misuse?: true
}

/** The highest-ranked candidate; of equal ones the first. */
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

/** Exit code 2 is reserved for wrong usage and configuration, including what checks find out. */
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

export function exitCodeOfStop({ outcome, misuse }: Pick<StopTransition, 'outcome' | 'misuse'>): number {
  return misuse === true ? misuseExitCode : exitCodeOf[outcome]
}

export const resumableOutcomes: readonly Outcome[] = ['interrupted', 'blocked', 'error']

/** These ends suspend a turn; it gets its transition after the resume. */
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
