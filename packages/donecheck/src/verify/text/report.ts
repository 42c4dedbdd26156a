import type { Evidence } from '../../events/index.ts'
import type { VerifierReport } from '../../ports.ts'

/** The artifact proves it. */
export function passed(reason: string, ...evidence: readonly Evidence[]): VerifierReport {
  return { status: 'passed', reason, canRetry: true, qualifiers: [], evidence }
}

/** The artifact disproves it; another turn may mend it. */
export function failed(reason: string, ...evidence: readonly Evidence[]): VerifierReport {
  return { status: 'failed', reason, canRetry: true, qualifiers: [], evidence }
}

/** Things found, one a line, bounded: as one note, or as none where nothing was found. */
export function listed(lines: readonly string[], most = 20): readonly Evidence[] {
  if (lines.length === 0) return []
  const more = lines.length > most ? [`… and ${lines.length - most} more`] : []
  const shown = lines.slice(0, most).map((line) => cut(line, 500))
  return [{ kind: 'note', text: [...shown, ...more].join('\n') }]
}

/** A text in quotation marks, on one line and cut where it is long. */
export function quoted(text: string, most = 80): string {
  return JSON.stringify(cut(text, most))
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}
