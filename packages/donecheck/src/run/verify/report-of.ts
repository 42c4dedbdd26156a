import { problemOfFact, type VerificationTrigger } from '../../events/index.ts'
import type { VerifierReport } from '../../ports.ts'
import { settleWithin } from '../settle-within.ts'
import { undecided } from './undecided.ts'

/** No check takes longer; one that has a bound of its own is stopped by that, long before. */
const longestCheckMs = 3_600_000

/** A verifier that throws, hangs or answers nonsense has not decided: `error`, which never counts as passed (I6). */
export async function reportOf(
  verify: () => Promise<VerifierReport>,
  trigger: VerificationTrigger,
  signal: AbortSignal,
): Promise<VerifierReport> {
  const settled = await settleWithin(verify, { signal, maxMs: longestCheckMs })
  if (settled.kind === 'threw') return undecided(`the verifier threw: ${settled.message}`)
  if (settled.kind === 'abandoned') return undecided('the verifier did not answer')
  const problem = problemOfReport(settled.value)
  if (problem === undefined) return settled.value
  // Before the first turn it is a mistake in how the verifier was written, which no turn can put right.
  return {
    ...undecided(`the verifier answered nonsense: ${problem}`, 'unverifiable'),
    canRetry: trigger !== 'baseline',
  }
}

/** What would keep a report from being recorded and read again. */
export function problemOfReport(report: VerifierReport | undefined): string | undefined {
  if (typeof report !== 'object') return 'nothing'
  const verdict = { ...report, verifier: '', durationMs: 0 }
  return problemOfFact({ type: 'verdict-given', verdict })
}
