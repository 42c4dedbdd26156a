import { problemOfFact, type VerificationTrigger } from '@donecheck/core/events'
import { undecidedReport, type VerifierReport } from '../../../ports/checks.ts'
import { settleWithin } from '../perform/settle-within.ts'

/** No check takes longer; one that has a bound of its own is stopped by that, long before. */
const maxCheckMs = 3_600_000

/** A verifier that throws, hangs or answers nonsense has not decided: `error`, which never counts as passed (I6). */
export async function askForReport(
  verify: () => Promise<VerifierReport>,
  trigger: VerificationTrigger,
  signal: AbortSignal,
): Promise<VerifierReport> {
  const settled = await settleWithin(verify, { signal, maxMs: maxCheckMs })
  if (settled.kind === 'threw') return undecidedReport(`the verifier threw: ${settled.message}`)
  if (settled.kind === 'abandoned') return undecidedReport('the verifier did not answer')
  const problem = problemOfReport(settled.value)
  if (problem === undefined) return settled.value
  // Before the first turn it is a mistake in how the verifier was written, which no turn can put right.
  return {
    ...undecidedReport(`the verifier answered nonsense: ${problem}`, 'unverifiable'),
    canRetry: trigger !== 'baseline',
  }
}

/** What would keep a report from being recorded and read again. */
export function problemOfReport(report: VerifierReport | undefined): string | undefined {
  if (typeof report !== 'object') return 'nothing'
  const verdict = { ...report, verifier: '', durationMs: 0 }
  return problemOfFact({ type: 'verdict-given', verdict })
}

/** It was not asked, or not to its end, for a reason that lies elsewhere. */
export function leftOutReport(reason: string): VerifierReport {
  return { status: 'skipped', reason, canRetry: true, qualifiers: [], evidence: [] }
}
