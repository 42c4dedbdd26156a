import type { Evidence } from '@donecheck/core/internal/events/verdicts'
import { type VerifierReport, undecidedReport } from '../../../ports/checks.ts'

export function passedReport(reason: string, ...evidence: readonly Evidence[]): VerifierReport {
  return { status: 'passed', reason, canRetry: true, qualifiers: [], evidence }
}

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

export function truncateText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

export { undecidedReport }

/** What there was to look at, with what was seen of it; or why there is nothing, as the verdict on that: `failed` or `error`. */
export type Found<Value> =
  | { readonly kind: 'read'; readonly value: Value; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'not-read'; readonly report: VerifierReport }

/** No turn can answer it: a run does not begin with it. The reason says what was looked for, and the way out. */
export function unanswerable(reason: string, qualifier: 'unverifiable' | 'infrastructure'): VerifierReport {
  return { ...undecidedReport(reason, qualifier), canRetry: false }
}

export function interruptedReport(): VerifierReport {
  return undecidedReport('interrupted')
}

/** Any value in a few words, for a sentence about it. Never throws. */
export function showValue(value: unknown): string {
  return truncateText(asText(value), 200)
}

function asText(value: unknown): string {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  try {
    // JSON has no word for undefined, nor for what `toJSON` may answer.
    const json: unknown = value === undefined ? 'undefined' : JSON.stringify(value)
    return typeof json === 'string' ? json : 'a value without JSON'
  } catch {
    return 'a value without JSON'
  }
}

/** What was thrown, in its own words. Never throws. */
export function showThrown(error: unknown): string {
  try {
    if (error instanceof Error && error.message !== '') return error.message
    return typeof error === 'string' ? error : showValue(error instanceof Error ? error.name : error)
  } catch {
    return 'a value that cannot be read'
  }
}
