import type { Evidence } from '@donecheck/core/internal/events/verdicts'
import { type VerifierResult, undecidedResult } from '../../../ports/checks.ts'

export function passedReport(reason: string, ...evidence: readonly Evidence[]): VerifierResult {
  return { status: 'passed', reason, canRetry: true, qualifiers: [], evidence }
}

export function failedReport(reason: string, ...evidence: readonly Evidence[]): VerifierResult {
  return { status: 'failed', reason, canRetry: true, qualifiers: [], evidence }
}

/** One note with a line per item, limited; none if empty. */
export function listEvidence(lines: readonly string[], most = 20): readonly Evidence[] {
  if (lines.length === 0) return []
  const more = lines.length > most ? [`… and ${lines.length - most} more`] : []
  const shown = lines.slice(0, most).map((line) => truncateText(line, 500))
  return [{ kind: 'note', text: [...shown, ...more].join('\n') }]
}

/** Quotes a text on one line, cut if long. */
export function quoteText(text: string, most = 80): string {
  return JSON.stringify(truncateText(text, most))
}

export function truncateText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

export { undecidedResult }

/** What was read, with its evidence; or the verdict `failed` or `error`. */
export type Found<Value> =
  | { readonly kind: 'read'; readonly value: Value; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'not-read'; readonly report: VerifierResult }

/** No turn can fix it, so the run does not start. The reason says what is missing and what to do. */
export function unanswerable(reason: string, qualifier: 'unverifiable' | 'infrastructure'): VerifierResult {
  return { ...undecidedResult(reason, qualifier), canRetry: false }
}

export function interruptedReport(): VerifierResult {
  return undecidedResult('interrupted')
}

/** Formats any value in a few words. Never throws. */
export function showValue(value: unknown): string {
  return truncateText(asText(value), 200)
}

function asText(value: unknown): string {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  try {
    // JSON.stringify returns undefined for undefined and some `toJSON` results.
    const json: unknown = value === undefined ? 'undefined' : JSON.stringify(value)
    return typeof json === 'string' ? json : 'a value without JSON'
  } catch {
    return 'a value without JSON'
  }
}

/** Formats any thrown value. Never throws. */
export function showThrown(error: unknown): string {
  try {
    if (error instanceof Error && error.message !== '') return error.message
    return typeof error === 'string' ? error : showValue(error instanceof Error ? error.name : error)
  } catch {
    return 'a value that cannot be read'
  }
}
