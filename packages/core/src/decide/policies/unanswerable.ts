/** No turn is paid for a question that no turn can answer: this is settled before the first one. */
import type { RunState } from '../../state/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'
import type { StopCandidate } from '../stops/index.ts'

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
export function misuseOf(verdicts: readonly Verdict[]): { readonly misuse?: true } {
  const isWrong = verdicts.some(
    ({ status, canRetry, qualifiers }) =>
      status === 'error' && !canRetry && qualifiers.includes('unverifiable'),
  )
  return isWrong ? { misuse: true } : {}
}
