import type { Evidence } from '@donecheck/core/verdicts'
import type { VerifierReport } from '../../../../ports/checks.ts'

/** The artifact proves it. */
export function passedReport(reason: string, ...evidence: readonly Evidence[]): VerifierReport {
  return { status: 'passed', reason, canRetry: true, qualifiers: [], evidence }
}

/** The artifact disproves it; another turn may mend it. */
export function failedReport(reason: string, ...evidence: readonly Evidence[]): VerifierReport {
  return { status: 'failed', reason, canRetry: true, qualifiers: [], evidence }
}

/** Things found, one a line, bounded: as one note, or as none where nothing was found. */
export function listEvidence(lines: readonly string[], most = 20): readonly Evidence[] {
  if (lines.length === 0) return []
  const more = lines.length > most ? [`… and ${lines.length - most} more`] : []
  const shown = lines.slice(0, most).map((line) => truncateText(line, 500))
  return [{ kind: 'note', text: [...shown, ...more].join('\n') }]
}

/** A text in quotation marks, on one line and cut where it is long. */
export function quoteText(text: string, most = 80): string {
  return JSON.stringify(truncateText(text, most))
}

function truncateText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}
