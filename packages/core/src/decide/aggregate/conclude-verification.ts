/** No turn is paid for a question that no turn can answer, so this runs before the first one. */
import type { RunState } from '../../state/index.ts'
import type { StopTransition } from '../../events/transitions/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'
import { completionMessage } from './completion.ts'
import { collectVotes, guardVeto, type Aggregator, type AggregateVerdict } from './aggregate.ts'
import { stopTransition, type StopCandidate } from '../stops/index.ts'

/** Ends a verification without an agent. No turn could fix anything, so a failure ends it. */
export function concludeVerification(state: RunState, aggregate: Aggregator): StopTransition {
  const verdict = guardVeto(state) ?? aggregate(collectVotes(state))
  return stopTransition(state, candidateOf(verdict, state), {})
}

function candidateOf(verdict: AggregateVerdict, state: RunState): StopCandidate {
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

function reasonsOf(verdict: AggregateVerdict, state: RunState): string {
  return verdictsOf(verdict, state)
    .map(({ reason }) => reason)
    .join('; ')
}

/** The deciding verdicts first, then every other open one. */
function verdictsOf({ because }: AggregateVerdict, { settings, checks }: RunState): readonly Verdict[] {
  const required = settings.verifiers.flatMap((verifier) => (verifier.required ? [verifier.name] : []))
  return [...new Set([...because, ...required])].flatMap((name) => checks[name]?.latest ?? []).filter(isOpen)
}

/** Neither passed nor waived; also open: a check skipped because of another one. */
export function isOpen({ status, qualifiers }: Verdict): boolean {
  return status !== 'passed' && !qualifiers.includes('waived')
}

/** Blocks the run before its first turn if a required check can never decide. */
export function unanswerable(state: RunState): StopCandidate | undefined {
  const { settings, checks } = state
  const asked = settings.verifiers.flatMap(({ name, required }) =>
    required ? (checks[name]?.baselineVerdict ?? []) : [],
  )
  const open = asked.filter(({ status, canRetry }) => status === 'error' && !canRetry)
  if (open.length === 0) return undefined
  return { reason: 'blocked', message: open.map(({ reason }) => reason).join('; '), ...misuseOf(open) }
}

/** Whether undecided verdicts come from a wrong configuration rather than something missing. */
function misuseOf(verdicts: readonly Verdict[]): { readonly misuse?: true } {
  const isWrong = verdicts.some(
    ({ status, canRetry, qualifiers }) =>
      status === 'error' && !canRetry && qualifiers.includes('unverifiable'),
  )
  return isWrong ? { misuse: true } : {}
}
