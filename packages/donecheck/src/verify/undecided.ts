import type { VerdictQualifier } from '../events/index.ts'
import type { VerifierReport } from '../ports.ts'

/** A verifier that could not decide: never passed (I6), and another turn may mend it. */
export function undecided(reason: string, ...qualifiers: readonly VerdictQualifier[]): VerifierReport {
  return { status: 'error', reason, canRetry: true, qualifiers, evidence: [] }
}

/** No turn can answer it: a run does not begin with it. The reason says what was looked for, and the way out. */
export function unanswerable(reason: string, qualifier: 'unverifiable' | 'infrastructure'): VerifierReport {
  return { ...undecided(reason, qualifier), canRetry: false }
}

/** We were asked to stop: nothing was found out. */
export function interrupted(): VerifierReport {
  return undecided('interrupted')
}
