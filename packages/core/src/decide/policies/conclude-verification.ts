/** No turn is paid for a question that no turn can answer: this is settled before the first one. */
import type { RunState } from '../../state/index.ts'
import type { StopTransition } from '../../events/transitions/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'
import { completionMessage } from './completion.ts'
import { ballotsOf, guardVeto, type Policy, type PolicyVerdict } from './policy.ts'
import { stopTransition, type StopCandidate } from '../stops/index.ts'

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
      return { reason: 'blocked', message, ...misuseOf(verdictsOf(verdict, state)) }
    case 'pending':
      return { reason: 'awaiting_approval', message }
    case 'skipped':
      return { reason: 'model_ended', message: 'no check could decide' }
  }
}

function reasonsOf(verdict: PolicyVerdict, state: RunState): string {
  return verdictsOf(verdict, state)
    .map(({ reason }) => reason)
    .join('; ')
}

/** Those that decided, then whatever else is open: nobody asks again before it is told. */
function verdictsOf({ because }: PolicyVerdict, { settings, checks }: RunState): readonly Verdict[] {
  const required = settings.verifiers.flatMap((verifier) => (verifier.required ? [verifier.name] : []))
  return [...new Set([...because, ...required])].flatMap((name) => checks[name]?.latest ?? []).filter(isOpen)
}

/** It has not passed, and nobody has waived it: also what did not run because of another check is open. */
export function isOpen({ status, qualifiers }: Verdict): boolean {
  return status !== 'passed' && !qualifiers.includes('waived')
}

/** What keeps the run from its first turn: required checks that cannot decide, whatever is done in the work folder. */
export function unanswerable(state: RunState): StopCandidate | undefined {
  const { settings, checks } = state
  const asked = settings.verifiers.flatMap(({ name, required }) =>
    required ? (checks[name]?.baselineVerdict ?? []) : [],
  )
  const open = asked.filter(({ status, canRetry }) => status === 'error' && !canRetry)
  if (open.length === 0) return undefined
  return { reason: 'blocked', message: open.map(({ reason }) => reason).join('; '), ...misuseOf(open) }
}

/** Of undecided verdicts: whether what was asked is wrong, rather than that something is missing. */
function misuseOf(verdicts: readonly Verdict[]): { readonly misuse?: true } {
  const isWrong = verdicts.some(
    ({ status, canRetry, qualifiers }) =>
      status === 'error' && !canRetry && qualifiers.includes('unverifiable'),
  )
  return isWrong ? { misuse: true } : {}
}
