import type { VerifierDescription } from '@donecheck/core/internal/events/settings'
import { z } from 'zod'
import { withinTime } from '../../../base/index.ts'
import type { Verifier, VerifierContext, VerifierResult } from '../../../ports/checks.ts'
import { failedReport, showValue, undecidedResult, type Found } from '../reports/reports.ts'
import { namedOptions, verifierBy, type VerifierOfOptions } from '../reports/verifier-of.ts'
import { readFile, relativePath } from '../work-tree/files.ts'

const textSource = z.union(
  [
    /** The agent's latest text. */
    z.strictObject({ answer: z.literal(true) }),
    /** File relative to the work folder. UTF-8, at most 10 MiB. */
    z.strictObject({ file: z.string() }),
    /** Result of the function, or of its promise. */
    z.strictObject({ value: z.custom<() => unknown>((given) => typeof given === 'function') }),
  ],
  "must be { answer: true }, { file: 'path/in/the/work/folder' } or { value: () => … }",
)
export type TextSource = Readonly<z.infer<typeof textSource>>

export const sourceOptions = namedOptions.extend({
  /** Default: the answer. */
  source: textSource.optional(),
})
export type SourceOptions = Readonly<z.infer<typeof sourceOptions>>

export const sourceCheckOptions = sourceOptions.extend({
  /** Milliseconds to match, blocking; then `error`. Default 1,000. */
  matchTimeoutMs: z.number().int().min(1).max(60_000).optional(),
})
export type SourceCheckOptions = Readonly<z.infer<typeof sourceCheckOptions>>

/** @throws {UsageError} for a path outside the work folder */
function sourceOf(source: TextSource = { answer: true }): TextSource {
  return 'file' in source ? { file: relativePath(source.file) } : source
}

/** For a verifier's description. A function may read anything, so it reads the work tree. */
function readsOf(source: TextSource): VerifierDescription['reads'] {
  return 'answer' in source ? 'answer' : 'workspace'
}

function showSource(source: TextSource): string {
  if ('answer' in source) return 'the answer'
  return 'file' in source ? source.file : 'the value'
}

/** @throws what a user's function throws, and the signal's reason */
async function readSource(
  source: TextSource,
  { finalText, workFolder }: VerifierContext,
  signal: AbortSignal,
): Promise<Found<unknown>> {
  if ('answer' in source) return { kind: 'read', value: finalText, evidence: [] }
  if ('value' in source) return { kind: 'read', value: await source.value(), evidence: [] }
  return readTextFile(workFolder, source.file, signal)
}

/** Reads a UTF-8 file of the work folder. @throws the signal's reason */
export async function readTextFile(
  workFolder: string | null,
  path: string,
  signal: AbortSignal,
): Promise<Found<string>> {
  if (workFolder === null) {
    const report = undecidedResult(`${path} has no work folder to be in; give the run one`)
    return { kind: 'not-read', report }
  }
  const seen = await readFile(workFolder, path, signal)
  if (seen.kind === 'not-read') return seen
  const value = decodeUtf8(seen.value)
  if (value !== undefined) return { kind: 'read', value, evidence: seen.evidence }
  return { kind: 'not-read', report: failedReport(`${path} is no UTF-8 text`, ...seen.evidence) }
}

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

interface SourceCheck {
  /** Description, such as `contains "done"`; the source is appended. */
  readonly title: string
  readonly options: SourceCheckOptions
  /** Default: looks at the work folder, and is deterministic. */
  readonly traits?: Pick<VerifierOfOptions, 'deterministic' | 'reads' | 'looksAt'>
  /** Time-limited until it awaits. */
  readonly judge: (
    value: unknown,
    label: string,
    asked: AskedSource,
  ) => VerifierResult | Promise<VerifierResult>
}

interface AskedSource {
  readonly context: VerifierContext
  readonly signal: AbortSignal
}

/** Builds a verifier that reads one source and judges it within the time limit. */
export function sourceCheck({ title, options, traits, judge }: SourceCheck): Verifier {
  const source = sourceOf(options.source)
  const label = showSource(source)
  const { matchTimeoutMs = 1000, name = `${title}, in ${label}` } = options
  return verifierBy(
    name,
    async (context, signal) => {
      const read = await readSource(source, context, signal)
      if (read.kind === 'not-read') return read.report
      const judged = withinTime(matchTimeoutMs, () => judge(read.value, label, { context, signal }))
      if (judged.kind === 'timed-out')
        return undecidedResult(
          `${title}: matching did not end within ${matchTimeoutMs / 1000} s; simplify the pattern or give matchTimeoutMs`,
        )
      const report = await judged.value
      return { ...report, evidence: [...read.evidence, ...report.evidence] }
    },
    { ...options, looksAt: 'work-folder', reads: readsOf(source), ...traits },
  )
}

/** Wraps a text check: any other value is `error`. */
export function ofText(
  judge: (text: string, label: string, asked: AskedSource) => VerifierResult | Promise<VerifierResult>,
): SourceCheck['judge'] {
  return (value, label, asked) =>
    typeof value === 'string'
      ? judge(value, label, asked)
      : undecidedResult(`${label} is ${showValue(value)}, which is no text`)
}
