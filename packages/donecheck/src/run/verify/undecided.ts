import type { VerdictQualifier } from '../../events/index.ts'
import type { VerifierReport } from '../../ports.ts'

/** Nothing was found out; it never counts as passed (I6). */
export function undecided(reason: string, ...qualifiers: readonly VerdictQualifier[]): VerifierReport {
  return { status: 'error', reason, canRetry: true, qualifiers, evidence: [] }
}

/** It was not asked, or not to its end, for a reason that lies elsewhere. */
export function leftOut(reason: string): VerifierReport {
  return { status: 'skipped', reason, canRetry: true, qualifiers: [], evidence: [] }
}
