import { UsageError, type OptionKeys } from '../../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { VerifierDescription } from '@donecheck/core/settings'
import type { Verifier, VerifierContext, VerifierInputs, VerifierReport } from '../../../../ports/checks.ts'
import { relativePath } from '../../work-tree/files/relative-path.ts'
import { showValue, undecidedReport, failedReport, type Found } from '../../reports/reports.ts'
import { namedKeys, verifierBy, type NamedOptions } from '../../reports/verifier-of.ts'
import { readFile } from '../../work-tree/files/read-file.ts'
import type { TextForm } from './pattern.ts'
import { withinTime } from './within-time.ts'

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

export interface SourceCheckOptions extends SourceOptions {
  /** Matching and comparing that takes longer is broken off: `error`. Nothing else runs meanwhile. Default 1 000. */
  readonly matchTimeoutMs?: number
}

export const sourceCheckKeys: OptionKeys<SourceCheckOptions> = { ...sourceKeys, matchTimeoutMs: true }

export interface FormedCheckOptions extends SourceCheckOptions, TextForm {}

export const formedCheckKeys: OptionKeys<FormedCheckOptions> = {
  ...sourceCheckKeys,
  caseSensitive: true,
  whitespace: true,
}

interface SourceCheck {
  /** What is checked, in words, such as `contains "done"`; the source is added. */
  readonly title: string
  /** Kind and options as JSON; undefined where a function of the user is among them. */
  readonly definition: JsonValue | undefined
  readonly options: SourceCheckOptions
  /** Looks at what was read. Time-bound until it waits for something. */
  readonly judge: (value: unknown, label: string) => VerifierReport | Promise<VerifierReport>
}

/** A verifier over one source: reads it, judges it within the time bound, and adds what was read to the evidence. */
export function sourceCheck({ title, definition, options, judge }: SourceCheck): Verifier {
  const source = sourceOf(options.source)
  const { matchTimeoutMs = 1000, name = `${title}, in ${showSource(source)}` } = options
  if (!Number.isInteger(matchTimeoutMs) || matchTimeoutMs <= 0 || matchTimeoutMs > 60_000)
    throw new UsageError(
      `matchTimeoutMs is ${matchTimeoutMs}; give whole milliseconds from 1 to 60000, for nothing else runs meanwhile`,
    )
  const verifier = verifierBy(
    name,
    async (context, signal) => {
      const read = await readSource(source, context, signal)
      if (read.kind === 'not-read') return read.report
      const judged = withinTime(matchTimeoutMs, () => judge(read.value, showSource(source)))
      if (judged.kind === 'timed-out')
        return undecidedReport(
          `${title}: matching did not end within ${matchTimeoutMs / 1000} s; simplify the pattern or give matchTimeoutMs`,
        )
      const report = await judged.value
      return { ...report, evidence: [...read.evidence, ...report.evidence] }
    },
    { ...options, looksAt: 'work-folder', reads: readsOf(source) },
  )
  const inputs = inputsOf(source, definition)
  return inputs === undefined ? verifier : { ...verifier, inputs }
}

/** For a check that needs a text: any other value is `error`. */
export function ofText(judge: (text: string, label: string) => VerifierReport): SourceCheck['judge'] {
  return (value, label) =>
    typeof value === 'string'
      ? judge(value, label)
      : undecidedReport(`${label} is ${showValue(value)}, which is no text`)
}
