import type { Evidence } from '@donecheck/core/verdicts'
import type { VerifierContext, VerifierReport } from '../../../../ports/checks.ts'
import { readFile } from '../../work-tree/files/read-file.ts'
import { showValue } from '../../reports/show-value.ts'
import { undecidedReport } from '../../reports/undecided.ts'
import { failedReport } from './report.ts'
import type { TextSource } from './source.ts'

export type ReadSource =
  | { readonly kind: 'read'; readonly value: unknown; readonly evidence: readonly Evidence[] }
  /** Why there is nothing to check, as the verdict on it. */
  | { readonly kind: 'not-read'; readonly report: VerifierReport }

export type ReadText =
  | { readonly kind: 'read'; readonly text: string; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'not-read'; readonly report: VerifierReport }

/**
 * What there is to check: of the answer and of a file it is the text, of a function whatever it gives.
 * @throws whatever the function throws, and the signal's reason after an abort
 */
export async function readSource(
  source: TextSource,
  { finalText, workFolder }: VerifierContext,
  signal: AbortSignal,
): Promise<ReadSource> {
  if ('answer' in source) return { kind: 'read', value: finalText, evidence: [] }
  if ('value' in source) return { kind: 'read', value: await source.value(), evidence: [] }
  if (workFolder === null) {
    const report = undecidedReport(`${source.file} has no work folder to be in; give the run one`)
    return { kind: 'not-read', report }
  }
  const seen = await readFile(workFolder, source.file, signal)
  if (seen.kind === 'not-seen') return { kind: 'not-read', report: seen.report }
  const text = decodeUtf8(seen.bytes)
  if (text !== undefined) return { kind: 'read', value: text, evidence: [seen.evidence] }
  return { kind: 'not-read', report: failedReport(`${source.file} is no UTF-8 text`, seen.evidence) }
}

/**
 * The same for a check that needs text: a function that gives none is `error`.
 * @throws whatever the function throws, and the signal's reason after an abort
 */
export async function readText(
  source: TextSource,
  context: VerifierContext,
  signal: AbortSignal,
): Promise<ReadText> {
  const read = await readSource(source, context, signal)
  if (read.kind === 'not-read') return read
  const { value, evidence } = read
  if (typeof value === 'string') return { kind: 'read', text: value, evidence }
  return { kind: 'not-read', report: undecidedReport(`the value is ${showValue(value)}, which is no text`) }
}

/** Undefined: no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
