/** How a turn or a run ended, put together from the state and the winning candidate. */
import type {
  ContinueReason,
  ContinueTransition,
  LastCheck,
  StopTransition,
  VerdictLine,
} from '../../events/transitions/index.ts'
import { latestVerdicts, type RunState } from '../../state/index.ts'
import type { CapName } from '../../budgets/index.ts'
import { outcomeOf, type StopCandidate } from './stop-order.ts'

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
