import { UsageError, type OptionKeys } from '../../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { VerifierDescription } from '@donecheck/core/settings'
import type { VerifierInputs, VerifierContext } from '../../../../ports/checks.ts'
import { relativePath } from '../../work-tree/files/relative-path.ts'
import { showValue, undecidedReport, failedReport, type Found } from '../../reports/reports.ts'
import { namedKeys, type NamedOptions } from '../../reports/verifier-of.ts'
import { readFile } from '../../work-tree/files/read-file.ts'

export interface SourceOptions extends NamedOptions {
  /** Default: the answer. */
  readonly source?: TextSource
}

export const sourceKeys: OptionKeys<SourceOptions> = { ...namedKeys, source: true }

/** Where a check finds what it checks. */
export type TextSource =
  /** The latest text of the drive. */
  | { readonly answer: true }
  /** A file of the work folder: its path relative to it. UTF-8, at most 10 MiB. */
  | { readonly file: string }
  /** Whatever the function gives, or a promise of it. A check of this is never remembered. */
  | { readonly value: () => unknown }

/** @throws {UsageError} for a source that is none, or a path that leads out of the work folder */
export function sourceOf(source: TextSource = { answer: true }): TextSource {
  const given: unknown = source
  if (typeof given === 'object' && given !== null && Object.keys(given).length === 1) {
    if ('answer' in source) return source
    if ('file' in source) return { file: relativePath(source.file) }
    if (typeof source.value === 'function') return source
  }
  throw new UsageError(
    `source is ${showValue(given)}; give { answer: true }, { file: 'path/in/the/work/folder' } or { value: () => … }`,
  )
}

/** What stands in a verifier's description. A function may read anything: it is asked with the work tree. */
export function readsOf(source: TextSource): VerifierDescription['reads'] {
  return 'answer' in source ? 'answer' : 'workspace'
}

/** For names and reasons. */
export function showSource(source: TextSource): string {
  if ('answer' in source) return 'the answer'
  return 'file' in source ? source.file : 'the value'
}

/**
 * What the verdict depends on; undefined where that cannot be said.
 * @param definition undefined: it holds a function of the user
 */
export function inputsOf(source: TextSource, definition: JsonValue | undefined): VerifierInputs | undefined {
  if (definition === undefined || 'value' in source) return undefined
  return {
    definition,
    environmentDigest: undefined,
    readsAnswer: 'answer' in source,
    files: 'file' in source ? [globOf(source.file)] : [],
  }
}

/** A glob that means this path; where it has characters that globs have a use for, others of the same length too. */
export function globOf(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|]/g, '?')
}

/**
 * What there is to check: of the answer and of a file it is the text, of a function whatever it gives.
 * @throws whatever the function throws, and the signal's reason after an abort
 */
export async function readSource(
  source: TextSource,
  { finalText, workFolder }: VerifierContext,
  signal: AbortSignal,
): Promise<Found<unknown>> {
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
): Promise<Found<string>> {
  const read = await readSource(source, context, signal)
  if (read.kind === 'not-read') return read
  const { value, evidence } = read
  if (typeof value === 'string') return { kind: 'read', value, evidence }
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
