import { undecidedReport, type VerifierReport } from '../../../ports/checks.ts'

export { undecidedReport }

/** No turn can answer it: a run does not begin with it. The reason says what was looked for, and the way out. */
export function unanswerable(reason: string, qualifier: 'unverifiable' | 'infrastructure'): VerifierReport {
  return { ...undecidedReport(reason, qualifier), canRetry: false }
}

/** We were asked to stop: nothing was found out. */
export function interruptedReport(): VerifierReport {
  return undecidedReport('interrupted')
}
