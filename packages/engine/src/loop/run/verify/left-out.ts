import type { VerifierReport } from '../../../ports/checks.ts'

/** It was not asked, or not to its end, for a reason that lies elsewhere. */
export function leftOutReport(reason: string): VerifierReport {
  return { status: 'skipped', reason, canRetry: true, qualifiers: [], evidence: [] }
}
