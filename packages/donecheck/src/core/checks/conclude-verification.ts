import type { RunState, StopTransition, Verdict } from '../../events/index.ts'
import { completionMessage } from '../completion-message.ts'
import { ballotsOf, type Policy, type PolicyVerdict } from '../policy.ts'
import type { StopCandidate } from '../stop-order.ts'
import { stopTransition } from '../transition.ts'
import { guardVeto } from './guard-veto.ts'

/**
 * The end of a verification that no drive stands behind: what the policy says of the verdicts, as they are. There is no
 * turn that could mend anything, so a failure ends it.
 */
export function concludeVerification(state: RunState, policy: Policy): StopTransition {
  const verdict = guardVeto(state) ?? policy(ballotsOf(state))
  return stopTransition(state, candidateOf(verdict, state), {})
}

function candidateOf(verdict: PolicyVerdict, state: RunState): StopCandidate {
  const message = reasonsOf(verdict, state)
  switch (verdict.status) {
    case 'passed':
      return { reason: 'task_complete', message: completionMessage(state, verdict.because) }
    case 'failed':
      return { reason: 'verifier_failed_unrecoverable', message }
    case 'error':
      return { reason: 'blocked', message }
    case 'pending':
      return { reason: 'awaiting_approval', message }
    case 'skipped':
      return { reason: 'model_ended', message: 'no check could decide' }
  }
}

function reasonsOf({ because }: PolicyVerdict, state: RunState): string {
  const verdicts = because.flatMap((name): readonly Verdict[] => {
    const latest = state.checks[name]?.latest
    return latest === undefined ? [] : [latest]
  })
  return verdicts.map(({ reason }) => reason).join('; ')
}
